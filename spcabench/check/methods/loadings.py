"""Whether loadings have the form that the host takes."""

from __future__ import annotations

from spcabench.check.methods.trial import Trial
from spcabench.check.script import Script
from spcabench.run.worker.loadings import UNIT


def shape(trial: Trial) -> None:
    """Compare the shape of the loadings with what is asked for."""
    script = trial.script()
    for r in sorted({1, trial.n_components}):
        script.run(f"W = np.asarray(new(n_components={r}).fit(X).components_)")
        W, wanted = script.names["W"], (r, trial.n_features)
        script.want(f"W.shape == {wanted}", f"components_ has shape {W.shape}; wanted is {wanted}")
        script.want("W.dtype.kind in 'fiu'", f"components_ holds {W.dtype}; real numbers are wanted")


def finite(trial: Trial) -> None:
    """Look for loadings that are not finite."""
    script = _fitted(trial)
    script.want("np.isfinite(W).all()", "components_ holds values that are not finite")


def unit_rows(trial: Trial) -> None:
    """Compare the lengths of the rows with 1."""
    script = _fitted(trial)
    script.run("lengths = np.linalg.norm(W, axis=1)")
    lengths = ", ".join(f"{length:.6g}" for length in script.names["lengths"])
    script.want(
        f"np.allclose(lengths, W.any(axis=1), atol={UNIT})",
        f"rows of components_ have the lengths {lengths}; valid is 1",
    )


def _fitted(trial: Trial) -> Script:
    script = trial.script()
    script.run("W = np.asarray(new().fit(X).components_)")
    return script
