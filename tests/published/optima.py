"""The command that counts the optima that each method finds, and remakes reports/optima.md.

::

    python tests/published/optima.py

The data are the correlations of pitprops and of wine, 13 features each.  `exact` proves the largest variance of each
cardinality from 1 to 13; a method finds it if its loading has no more nonzeros and explains as much.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from checks import table
from published_checks.estimators import published_start, registry
from published_checks.optima import OPTIMA, correlations, proved

from spcabench.specs import MethodSpec
from spcabench.targets import resolve

COMMAND = "python tests/published/optima.py"
PAGE = Path(__file__).parents[2] / "reports" / "optima.md"
CARDINALITIES = range(1, 14)
TOLERANCE = 1e-6
"""How much less of the optimum still counts as found, as a share."""

HEAD = f"""# Optima found

Each method looks for the largest variance of a loading with k nonzeros, for k = 1 to 13, on the correlations of two
data sets of 13 features, pitprops and wine.  `exact` proves what the largest variance is.  A cell has the number of
these 13 optima that a method finds, and by how much its worst variance is below the optimum.  "Default" is what the
estimator does by default; "published" starts as the paper says and exchanges no features.  A method without an entry
there does not tell the two apart.  `{COMMAND}` makes this page.
"""


@dataclass(frozen=True)
class Found:
    """What a method found on a data set.

    Parameters
    ----------
    n_optima : int
        Cardinalities at which it found the optimum.
    worst : float
        The largest share of an optimum that its loading lacks.
    """

    n_optima: int
    worst: float

    def __str__(self) -> str:
        return (
            f"{self.n_optima}" if self.n_optima == len(CARDINALITIES) else f"{self.n_optima}, {100 * self.worst:.1f} %"
        )


def exact_cardinality() -> Iterator[MethodSpec]:
    """Yield the registered methods that take a covariance and set the nonzeros of a component directly."""
    for spec in registry().methods.specs.values():
        own = spec.estimator.startswith("spcabench_methods.")
        if own and spec.knob.kind == "cardinality" and "covariance" in spec.parameters:
            yield spec


def found(spec: MethodSpec, data: str, **params: Any) -> Found:
    """Count the optima that a method finds on a data set."""
    cls, S = resolve(spec.estimator), correlations(data)
    if "random_state" in spec.parameters:
        params["random_state"] = 0
    lacks = []
    for k in CARDINALITIES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = cls(n_components=1, n_nonzero=k, covariance="precomputed", **{**spec.params, **params}).fit(S)
        w = fitted.components_[0]
        lacks.append(1.0 - float(w @ S @ w) / float(proved(data, k).objective_[0]) if np.count_nonzero(w) <= k else 1.0)
    return Found(sum(lack <= TOLERANCE for lack in lacks), max(lacks))


def page() -> str:
    """Compute the page."""
    columns = ("method", *(f"{data}, {which}" for data in OPTIMA for which in ("default", "published")))
    rows = []
    for spec in exact_cardinality():
        published = published_start(spec)
        cells = [
            cell for data in OPTIMA for cell in (found(spec, data), found(spec, data, **published) if published else "")
        ]
        rows.append((spec.name, *cells))
    return f"{HEAD}\n{table(columns, rows)}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
