"""Proximal gradient methods on the manifold of matrices with orthonormal columns."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import Either, Knob, ListOf, MethodSpec, Number, OneOf, Parameter, hookimpl
from spcabench_methods.core.declared import COVARIANCE, N_COMPONENTS, iterations
from spcabench_methods.core.declared_starts import starts

_PRICE = Either(Number(0.0), ListOf(Number(0.0)))
_RELATIVE = "relative to the largest variance; one, or one per component"

MANPG_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "mu": Parameter(0.1, _PRICE, f"the price of an l1 norm, {_RELATIVE}"),
    **starts("pca"),
    "tol": Parameter(
        1e-8, Number(0.0), "iterations stop when the mean square of a step's entries, over its length, is below it"
    ),
    "max_iter": iterations(10_000),
    "covariance": COVARIANCE,
}

AMANPG_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "l1": Parameter(0.1, _PRICE, f"the l1 penalty, {_RELATIVE}"),
    "l2": Parameter(
        1.0,
        Either(Number(0.0), OneOf("inf")),
        "the squared l2 penalty, relative to the largest variance; 'inf': the limit of large ones",
    ),
    "orthonormal_step": Parameter(
        "gradient", OneOf("gradient", "polar"), "how the orthonormal matrix is improved: by a step, or at once"
    ),
    **starts("pca"),
    "tol": Parameter(
        1e-8, Number(0.0), "iterations stop when the objective, relative to the largest variance, falls by less"
    ),
    "max_iter": iterations(10_000),
    "covariance": COVARIANCE,
}


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    return [
        MethodSpec(
            name="manpg",
            estimator="spcabench_methods.manifold.manpg:ManPG",
            iterations="max_iter",
            tolerance="tol",
            title="Manifold proximal gradient",
            family="manifold",
            sparse="weights",
            knob=Knob("penalty", "mu"),
            parameters=MANPG_PARAMETERS,
            starts="init",
            reference="Chen, Ma, So and Zhang, SIAM Journal on Optimization 30, 2020, 210-239",
        ),
        MethodSpec(
            name="amanpg",
            estimator="spcabench_methods.manifold.amanpg:AManPG",
            iterations="max_iter",
            tolerance="tol",
            title="Alternating manifold proximal gradient",
            family="manifold",
            sparse="weights",
            knob=Knob("penalty", "l1"),
            parameters=AMANPG_PARAMETERS,
            starts="init",
            reference="Chen, Ma, Xue and Zou, INFORMS Journal on Optimization 2, 2020, 192-208",
        ),
    ]
