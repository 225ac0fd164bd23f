"""The metrics that judge a fit by what `spcabench_methods.certified` proves of it, as a benchmark knows them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

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
_metric = partial(MetricSpec, parameters=LIMIT, source=SOURCE)
_value = partial(_metric, range=(0.0, math.inf))
_gap = partial(_metric, range=(0.0, 1.0), unit="share", better="lower", tolerance=TOLERANCE, margin=MARGIN)


@hookimpl
def spcabench_metrics() -> list[MetricSpec]:
    """Return the metrics of proofs."""
    return [
        _value(
            name="upper_bound",
            compute=f"{_HOME}:upper_bound",
            title="proved bound of the components' variance",
            formula=f"sum_j u_j; {ON}",
            exempt=NOT_REFITTED,
        ),
        _gap(
            name="gap",
            compute=f"{_HOME}:gap",
            title="gap to the proved bound",
            formula=f"(sum_j u_j - sum_j w_j'S_j w_j) / sum_j u_j; {ON}",
            refitted=True,
        ),
        _value(
            name="component_value",
            compute=f"{_HOME}:component_value",
            title="variance of each component on the matrix that it was found in",
            formula=f"w_j'S_j w_j; {ON}",
            exempt=NOT_REFITTED,
        ),
        _value(
            name="component_bound",
            compute=f"{_HOME}:component_bound",
            title="proved bound of each component's variance",
            formula=f"u_j; {ON}",
            exempt=NOT_REFITTED,
        ),
        _gap(
            name="component_gap",
            compute=f"{_HOME}:component_gap",
            title="gap of each component to its proved bound",
            formula=f"(u_j - w_j'S_j w_j) / u_j; {ON}",
            exempt=NOT_REFITTED,
        ),
        _value(
            name="bound_kind",
            compute=f"{_HOME}:bound_kind",
            title="components whose bound was proved in each way",
            formula=f"the number of j whose least bound u_j is a search's, or that of a formula; {ON}",
            unit="count",
        ),
    ]
