"""Path methods: one run finds the loadings of all cardinalities, from dense to a single nonzero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from spcabench import CARDINALITY, FLAG, NOTHING, Either, MethodSpec, OneOf, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import COVARIANCE, DEFLATION, EXCHANGES, N_COMPONENTS, N_NONZERO, REFIT
from spcabench_methods.core.declared_starts import starts

COP_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "n_steps": Parameter(1000, Whole(1), "how many steps of full length the path has; at least 10 per feature"),
    "n_candidates": Parameter(
        10, Either(NOTHING, Whole(1)), "how many of the largest entries may grow, and of the smallest shrink; null: all"
    ),
    "rank": Parameter("full", OneOf("full", "amended"), "compare pairs by full steps or by those that stop at zero"),
    "refit": Parameter(True, FLAG, REFIT),
    "polish": EXCHANGES,
    **starts("pca"),
    "whole_path": Parameter(True, FLAG, "follow the path down to one nonzero, or stop at n_nonzero"),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="cop",
            estimator="spcabench_methods.path.cop:COPPCA",
            title="Coordinate-pairwise path",
            family="path",
            sparse="weights",
            knob=CARDINALITY,
            parameters={**COP_PARAMETERS, "whole_path": replace(COP_PARAMETERS["whole_path"], default=False)},
            params={"whole_path": False},
            starts="init",
            reference="Meng, Cui, Xu and Jing, Data and Knowledge Engineering 88, 2013, 25-36, algorithm 1",
        )
    ]
