"""What must not change the loadings."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench.check.methods.trial import Trial
from spcabench.check.script import Script

SIGN = {"-X": "X and -X have different loadings"}
SHIFT = {"X + 3.0": "the loadings change when a constant is added to the samples: they are not centred"}
ROW_ORDER = {"X[::-1]": "the loadings depend on the order of the samples"}
SCALE = {
    f"{factor} * X": "the loadings depend on the unit of the samples" for factor in ("1000.0 * 2.0**200", "2.0**-220")
}


def unchanged(trial: Trial, others: Mapping[str, str]) -> Script:
    """Compare the loadings of other samples with those of X, and return the script.

    Parameters
    ----------
    trial : Trial
        The method and X.
    others : mapping
        Expressions for the other samples, and what is wrong if their loadings differ.
    """
    script = trial.script()
    script.run("fitted = new().fit(X)")
    for samples, message in others.items():
        script.run(f"other = new().fit({samples})")
        script.want("alike(other.components_, fitted.components_)", message)
    return script


def sign(trial: Trial) -> None:
    """Turn the samples round."""
    unchanged(trial, SIGN)


def shift(trial: Trial) -> None:
    """Add a constant; a method is to centre the samples."""
    unchanged(trial, SHIFT)


def row_order(trial: Trial) -> None:
    """Reverse the samples."""
    unchanged(trial, ROW_ORDER)


def scale(trial: Trial) -> None:
    """Change the unit of the samples by much, up and down."""
    unchanged(trial, SCALE)


def column_order(trial: Trial) -> None:
    """Shuffle the features."""
    script = trial.script()
    script.run(
        f"order = np.random.default_rng(0).permutation({trial.n_features})",
        "W = new().fit(X).components_",
        "V = new().fit(X[:, order]).components_",
    )
    script.want("alike(V, W[:, order])", "the loadings depend on the order of the features")
