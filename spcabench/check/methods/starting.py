"""Whether a method starts where a suite tells it to."""

from __future__ import annotations

from spcabench.check.findings import NotApplicable
from spcabench.check.methods.trial import Trial

WORDS = ("ones", "pca", "max_variance")
"""The starts that all methods with a start share, as `MethodSpec.starts` says."""


def starts(trial: Trial) -> None:
    """Fit from each start that a suite may ask for."""
    name = trial.spec.starts
    if name is None:
        raise NotApplicable("it has no start")
    for word in WORDS:
        script = trial.script()
        script.run(f"W = new({name}={word!r}).fit(X).components_")
        script.want("np.isfinite(W).all()", f"the loadings from the start {word!r} are not finite")
