"""Whether a method that does not require samples takes a covariance."""

from __future__ import annotations

import inspect

from spcabench.check.findings import NotApplicable
from spcabench.check.methods.trial import Trial
from spcabench.check.script import Broken


def covariance(trial: Trial) -> None:
    """Compare a fit to samples with one to their covariance."""
    if "samples" in trial.spec.requires:
        raise NotApplicable("it requires samples")
    script = trial.script()
    script.run("A = X - X.mean(axis=0)", "S = A.T @ A / len(A)", "estimator = new()")
    if "covariance" not in inspect.signature(type(script.names["estimator"])).parameters:
        reason = "it takes no covariance; declare requires=frozenset({'samples'}), or take covariance='precomputed'"
        raise Broken(reason, f"{script.example}\nnew(covariance='precomputed').fit(S)")
    script.run("W = new().fit(X).components_", "V = new(covariance='precomputed').fit(S).components_")
    script.want("alike(V, W, atol=1e-6)", "a fit to the covariance of the samples has other loadings")
