"""The methods of the family random_projections, as a benchmark knows them."""

from __future__ import annotations

from functools import partial

from spcabench import CARDINALITY, MethodSpec, hookimpl

_method = partial(MethodSpec, family="random_projections", sparse="weights", knob=CARDINALITY)

_SOURCE = "Gataric, Wang and Samworth, Journal of the Royal Statistical Society B 82, 2020, 329-359"
_DRAWN = "its projections are drawn feature by feature"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        _method(
            name="spcavrp",
            estimator="spcabench_methods.random_projections.spcavrp:SPCAvRP",
            title="Sparse PCA via random projections, orthogonal components",
            reference=f"{_SOURCE}, algorithms 1 and 3",
            exempt={"column_order": _DRAWN},
        ),
        _method(
            name="spcavrp_subspace",
            estimator="spcabench_methods.random_projections.subspace:SPCAvRPSubspace",
            title="Sparse PCA via random projections, components on one support",
            reference=f"{_SOURCE}, algorithm 2",
            exempt={"column_order": _DRAWN},
        ),
    ]
