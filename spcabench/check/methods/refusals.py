"""Whether a method refuses what it cannot fit."""

from __future__ import annotations

from spcabench.check.methods.trial import Trial


def bad_input(trial: Trial) -> None:
    """Fit to what is no matrix of finite samples."""
    for value in ("nan", "inf"):
        script = trial.script()
        script.run(f"X[0, 0] = np.{value}")
        script.refuse("new().fit(X)", f"samples with {value} are accepted; scikit-learn's check_array refuses them")
    script = trial.script()
    script.refuse("new().fit(X[0])", "a vector is accepted where a matrix is wanted")
