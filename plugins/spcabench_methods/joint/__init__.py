"""Joint methods: they find all components together, under constraints that link them."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import CARDINALITY, FLAG, NOTHING, Either, MethodSpec, Number, Parameter, Whole, hookimpl
from spcabench_methods.core.declared import COVARIANCE, N_COMPONENTS, N_NONZERO
from spcabench_methods.core.declared_random import random_state
from spcabench_methods.core.declared_starts import start

ORTHOGONAL_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "disjoint": Parameter(False, FLAG, "supports share no feature, instead of orthogonal loadings"),
    "init": start("published", words="published: the leading eigenvector, and n_init random vectors"),
    "n_init": Parameter(5, Whole(0), "how many random starts of a loading in each round"),
    "tol": Parameter(1e-8, Number(0.0), "rounds stop when the objective changes by less than this share"),
    "max_iter": Parameter(200, Whole(1), "the most rounds"),
    "covariance": COVARIANCE,
    "random_state": random_state("for the random starts"),
}


GEOSPCA_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": Parameter(
        None,
        Either(NOTHING, Whole(1)),
        "features in the support that all components share; n_features or more: no truncation; "
        "null: the square root of n_features, rounded up",
    ),
    "tol": Parameter(1e-6, Number(0.0, low_open=True), "the search ends at this relative gap to the upper bound"),
    "max_iter": Parameter(50, Whole(1), "the most rounds"),
    "time_limit": Parameter(
        None, Either(NOTHING, Number(0.0, low_open=True)), "seconds for all rounds; null: no limit"
    ),
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    orthogonal = [
        MethodSpec(
            name=name,
            estimator="spcabench_methods.joint.orthogonal:OrthogonalSPCA",
            iterations="max_iter",
            tolerance="tol",
            title=title,
            family="joint",
            sparse="weights",
            knob=CARDINALITY,
            parameters={key: p for key, p in ORTHOGONAL_PARAMETERS.items() if key != "disjoint"},
            params={"disjoint": disjoint},
            starts="init",
            reference="Cory-Wright and Pauphilet, arXiv:2209.14790, iterative deflation",
            exempt={"column_order": "its starts are drawn feature by feature"}
            | ({"dense_limit": "its loadings share no feature"} if disjoint else {}),
        )
        for name, disjoint, title in (
            ("multi_orth", False, "Orthogonal sparse components by penalised rounds"),
            ("multi_disjoint", True, "Sparse components with disjoint supports by rounds"),
        )
    ]
    geospca = MethodSpec(
        name="geospca",
        estimator="spcabench_methods.joint.geospca:GeoSPCA",
        iterations="max_iter",
        tolerance="tol",
        title="Components on one support, by an integer programme and cuts",
        family="joint",
        sparse="weights",
        knob=CARDINALITY,
        parameters=GEOSPCA_PARAMETERS,
        reference="Bertsimas and Kitane, Journal of Machine Learning Research 24, 2023",
        exempt={"growth": "it solves an integer programme"},
    )
    return [*orthogonal, geospca]
