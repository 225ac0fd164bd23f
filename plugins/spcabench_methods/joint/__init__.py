"""Joint methods: all components are sought together, under constraints that tie them to one another."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, Anything, MethodSpec, Number, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import COVARIANCE, N_COMPONENTS, N_NONZERO

ORTHOGONAL_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "disjoint": Parameter(False, FLAG, "supports share no feature, instead of orthogonal loadings"),
    "n_init": Parameter(5, Whole(0), "how many random starts of a loading in each round"),
    "tol": Parameter(1e-8, Number(0.0), "rounds stop when the objective changes by less than this share"),
    "max_iter": Parameter(200, Whole(1), "the most rounds"),
    "covariance": COVARIANCE,
    "random_state": Parameter(
        None, Anything("null, a whole number or a numpy.random.RandomState"), "for the random starts"
    ),
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name=name,
            estimator="spcabench_methods.joint.orthogonal:OrthogonalSPCA",
            title=title,
            family="joint",
            knob=CARDINALITY,
            parameters={key: p for key, p in ORTHOGONAL_PARAMETERS.items() if key != "disjoint"},
            params={"disjoint": disjoint},
            reference="Cory-Wright and Pauphilet, arXiv:2209.14790, iterative deflation",
        )
        for name, disjoint, title in (
            ("multi_orth", False, "Orthogonal sparse components by penalised rounds"),
            ("multi_disjoint", True, "Sparse components with disjoint supports by rounds"),
        )
    ]
