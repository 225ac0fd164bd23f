"""The metrics that judge a fit by what `spcabench_methods.certified` proves of it, as a benchmark knows them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from spcabench import NOTHING, Either, MetricSpec, Number, Parameter, Whole, hookimpl

LIMIT: Mapping[str, Parameter] = {
    "time_limit": Parameter(10.0, Number(0), "seconds of the search for the bound of a component"),
    "most_features": Parameter(
        None,
        Either(NOTHING, Whole(1)),
        "nothing is proved of data of more features, as that takes long; null: no limit",
    ),
}

ON = (
    "S_1 = S, and S_{j+1} is S_j deflated by w_j: as the method does, by projection if it does not say; "
    "u_j >= w'S_j w for all unit w with as many nonzeros as w_j"
)
"""What the proofs are about."""

MARGIN, TOLERANCE = 1e-3, 1e-7

SOURCE = "Berk and Bertsimas 2019, Mathematical Programming Computation 11, 381-420; bounds by weighted row sums"

NOT_REFITTED = {"refitted": "they are the parts of gap, which the report shows of refitted loadings too"}
"""Why the parts of `gap` have no companion."""


_HOME = "spcabench_methods.specs._gaps"
_spec = partial(MetricSpec, parameters=LIMIT, source=SOURCE)
_value: Mapping[str, Any] = {"range": (0.0, math.inf)}
_gap: Mapping[str, Any] = {
    "range": (0.0, 1.0),
    "unit": "share",
    "better": "lower",
    "tolerance": TOLERANCE,
    "margin": MARGIN,
}


def _metric(name: str, formula: str, title: str, **more: Any) -> MetricSpec:
    """Return a metric of proofs, whose function has its name."""
    exempt = {} if name in ("gap", "bound_kind") else NOT_REFITTED
    return _spec(name=name, title=title, compute=f"{_HOME}:{name}", formula=f"{formula}; {ON}", exempt=exempt, **more)


@hookimpl
def spcabench_metrics() -> list[MetricSpec]:
    """Return the metrics of proofs."""
    kinds = "the number of j whose least bound u_j is a search's, or that of a formula"
    return [
        _metric("upper_bound", "sum_j u_j", "proved bound of the components' variance", **_value),
        _metric("gap", "(sum_j u_j - sum_j w_j'S_j w_j) / sum_j u_j", "gap to the proved bound", **_gap, refitted=True),
        _metric(
            "component_value", "w_j'S_j w_j", "variance of each component on the matrix that it was found in", **_value
        ),
        _metric("component_bound", "u_j", "proved bound of each component's variance", **_value),
        _metric("component_gap", "(u_j - w_j'S_j w_j) / u_j", "gap of each component to its proved bound", **_gap),
        _metric("bound_kind", kinds, "components whose bound was proved in each way", **_value, unit="count"),
    ]
