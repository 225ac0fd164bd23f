"""Whether a method finds what is known to be there."""

from __future__ import annotations

from spcabench.check.findings import NotApplicable
from spcabench.check.methods.trial import Trial

SHARE = 0.999
"""The share of the variance of PCA's components that dense components must explain."""


def dense_limit(trial: Trial) -> None:
    """Compare the variance that dense components explain with that of PCA's."""
    script = trial.script()
    script.run(
        f"W = new({trial.dense}).fit(X).components_",
        "A = X - X.mean(axis=0)",
        "found = np.linalg.norm(A @ np.linalg.qr(W.T)[0]) ** 2",
        f"best = (np.linalg.svd(A)[1][:{trial.n_components}] ** 2).sum()",
    )
    share = script.names["found"] / script.names["best"]
    script.want(f"found >= {SHARE} * best", f"dense components explain {share:.4g} of what those of PCA explain")


def planted_support(trial: Trial) -> None:
    """Look for the features of a direction that stands out of noise."""
    knob, n, d, k = trial.spec.knob, 4 * trial.n_features, trial.n_features, min(trial.n_nonzero, trial.n_features - 1)
    if knob.kind == "none":
        raise NotApplicable("it has no knob")
    script = trial.script(f"np.random.default_rng(0).standard_normal(({n}, {d}))")
    script.run(
        f"X[:, {d - k}:] += 5 * np.random.default_rng(1).standard_normal(({n}, 1))",
        f"planted = {{*range({d - k}, {d})}}",
    )
    values = f"[{k}]" if knob.kind == "cardinality" else trial.penalties
    script.run(
        f"found = [{{*np.flatnonzero(new(n_components=1, {knob.parameter}=v).fit(X).components_)}} for v in {values}]"
    )
    last = sorted(map(int, script.names["found"][0])) if knob.kind == "cardinality" else "no value of the knob"
    script.want("planted in found", f"the direction is on the features {d - k} to {d - 1}; {_said(last)}")


def _said(found: object) -> str:
    return f"{found} finds them" if isinstance(found, str) else f"it finds {found}"
