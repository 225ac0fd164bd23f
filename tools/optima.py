"""Count the proved optima that each method finds, and remake reports/optima.csv.

::

    python tools/optima.py

The data are the correlations of pitprops and of wine, 13 features each.  `exact` proves the largest variance of each
cardinality from 1 to 13; a method finds it if its loading has no more nonzeros and explains as much.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from published_checks.estimators import OPTIMA, correlations, proved, published_start, registry
from snapshots import REPORTS, Row, write

from spcabench.importing import resolve
from spcabench.specs import MethodSpec

COMMAND = "python tools/optima.py"
CSV = REPORTS / "optima.csv"
CARDINALITIES = range(1, 14)
TOLERANCE = 1e-6
"""How much less of the optimum still counts as found, as a share."""


def exact_cardinality() -> Iterator[MethodSpec]:
    """Yield the registered methods that take a covariance and set the nonzeros of a component directly."""
    for spec in registry().methods.specs.values():
        own = spec.estimator.startswith("spcabench_methods.")
        if own and spec.knob.kind == "cardinality" and "covariance" in spec.parameters:
            yield spec


def found(spec: MethodSpec, data: str, **params: Any) -> tuple[str, str]:
    """Return how many optima of a data set a method finds, and by how many % its worst variance is below one."""
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
    return str(sum(lack <= TOLERANCE for lack in lacks)), f"{100 * max(0.0, *lacks):.1f}"


def rows() -> Iterator[Row]:
    """Yield what each method finds by default and, where that differs, from the start that its paper has."""
    for spec in exact_cardinality():
        starts = {"default": {}, "published": published_start(spec)}
        for data in OPTIMA:
            for start, params in starts.items():
                if params or start == "default":
                    n_found, worst = found(spec, data, **params)
                    yield {"method": spec.name, "data": data, "start": start, "found": n_found, "worst": worst}


if __name__ == "__main__":
    write(CSV, rows())
