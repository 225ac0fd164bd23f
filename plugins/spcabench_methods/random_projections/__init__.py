"""Random projections: many random subsets of the features vote for those that matter."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, NOTHING, Either, MethodSpec, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import COVARIANCE, N_COMPONENTS, N_NONZERO
from spcabench_methods.core.declared_jobs import n_jobs
from spcabench_methods.core.declared_random import random_state

_NUMBER = Either(NOTHING, Whole(1))

_DRAWS: Mapping[str, Parameter] = {
    "n_groups": Parameter(None, _NUMBER, "groups of subsets; null: 300, or 600 for more than 500 features"),
    "n_draws": Parameter(None, _NUMBER, "subsets in a group, of which the best one counts; null: a third of n_groups"),
    "subset_size": Parameter(None, _NUMBER, "features in a subset; null: as many as nonzeros"),
    "covariance": COVARIANCE,
    "random_state": random_state("for the subsets"),
    "n_jobs": n_jobs("groups of subsets"),
}

SPCAVRP_PARAMETERS: Mapping[str, Parameter] = {"n_components": N_COMPONENTS, "n_nonzero": N_NONZERO, **_DRAWS}

SUBSPACE_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": Parameter(
        None,
        _NUMBER,
        "features in the support that all components share; n_features or more: no truncation; "
        "null: the square root of n_features, rounded up",
    ),
    **_DRAWS,
}

_SOURCE = "Gataric, Wang and Samworth, Journal of the Royal Statistical Society B 82, 2020, 329-359"
_DRAWN = "its projections are drawn feature by feature"


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="spcavrp",
            estimator="spcabench_methods.random_projections.spcavrp:SPCAvRP",
            title="Sparse PCA via random projections, orthogonal components",
            family="random_projections",
            sparse="weights",
            knob=CARDINALITY,
            parameters=SPCAVRP_PARAMETERS,
            reference=f"{_SOURCE}, algorithms 1 and 3",
            exempt={"column_order": _DRAWN},
        ),
        MethodSpec(
            name="spcavrp_subspace",
            estimator="spcabench_methods.random_projections.subspace:SPCAvRPSubspace",
            title="Sparse PCA via random projections, components on one support",
            family="random_projections",
            sparse="weights",
            knob=CARDINALITY,
            parameters=SUBSPACE_PARAMETERS,
            reference=f"{_SOURCE}, algorithm 2",
            exempt={"column_order": _DRAWN},
        ),
    ]
