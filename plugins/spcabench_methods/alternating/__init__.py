"""Alternating methods: they improve scores and loadings, or two matrices of loadings, in turn."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import (
    CARDINALITY,
    FLAG,
    NOTHING,
    Either,
    Knob,
    ListOf,
    MethodSpec,
    Number,
    OneOf,
    Parameter,
    Whole,
    hookimpl,
)
from spcabench_methods.core.declared import (
    COVARIANCE,
    DEFLATION,
    EXCHANGES,
    N_COMPONENTS,
    N_NONZERO,
    iterations,
    tolerance,
)
from spcabench_methods.core.declared_random import random_state
from spcabench_methods.core.declared_starts import N_INIT, start

_BOUND = Number(1.0)
_RHO = Number(0.0, 1.0, high_open=True)

AM_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "n_nonzero": N_NONZERO,
    "variance": Parameter("l2", OneOf("l2", "l1"), "which norm of the scores is maximised"),
    "sparsity": Parameter("l0", OneOf("l0", "l1"), "what is constrained or penalised: cardinality, or magnitudes"),
    "form": Parameter("constrained", OneOf("constrained", "penalised"), "constrained or penalised"),
    "bound": Parameter(
        None, Either(NOTHING, _BOUND, ListOf(_BOUND)), "on the l1 norm of a loading, instead of n_nonzero nonzeros"
    ),
    "rho": Parameter(
        None, Either(NOTHING, _RHO, ListOf(_RHO)), "penalty, relative to one that leaves nothing, instead of n_nonzero"
    ),
    "init": start("random", words="random has the feature of largest variance too"),
    "n_init": Parameter(10, Whole(1), "how many random starts"),
    "refit": Parameter(False, FLAG, "then maximise the variance on the support of each loading"),
    "polish": EXCHANGES,
    "tol": tolerance(1e-6),
    "max_iter": iterations(200),
    "deflation": DEFLATION,
    "covariance": COVARIANCE,
    "random_state": random_state("for the random starts"),
}

VARPRO_PARAMETERS: Mapping[str, Parameter] = {
    "n_components": N_COMPONENTS,
    "alpha": Parameter(1e-4, Number(0.0), "penalty of all components, relative to the largest eigenvalue"),
    "beta": Parameter(1e-4, Number(0.0), "ridge penalty, relative to the largest eigenvalue"),
    "penalty": Parameter("l1", OneOf("l1", "l0"), "penalise the sum of magnitudes, or the cardinality"),
    "variant": Parameter("plain", OneOf("plain", "random", "robust"), "plain, from a random sketch, or robust"),
    "gamma": Parameter(1.0, Number(0.0), "robust: residuals, relative to the data's size, that count as outliers"),
    "init": start("published", words="published: the leading eigenvectors, if robust of clipped samples"),
    "n_init": N_INIT,
    "n_oversamples": Parameter(20, Whole(0), "random: how many more random vectors than components"),
    "n_power_iter": Parameter(2, Whole(0), "random: how often the random vectors are multiplied by S"),
    "tol": tolerance(1e-5),
    "max_iter": iterations(1000),
    "covariance": COVARIANCE,
    "random_state": random_state("random: for the sketch; for random starts"),
}

_SPARSITY = {"l0": "cardinality", "l1": "l1 norm"}
_UNUSED = {
    "plain": ("gamma", "n_oversamples", "n_power_iter"),
    "random": ("gamma",),
    "robust": ("n_oversamples", "n_power_iter", "covariance"),
}
_VARIANTS = {"plain": "varpro", "random": "varpro_random", "robust": "varpro_robust"}


_DRAWN = "its starts are drawn feature by feature"


def _am_gpower(variance: str, sparsity: str, form: str) -> MethodSpec:
    fixed: dict[str, object] = {"variance": variance, "sparsity": sparsity, "form": form}
    if form != "penalised":
        fixed["rho"] = None
    if (sparsity, form) != ("l1", "constrained"):
        fixed["bound"] = None
    if variance == "l1":
        fixed |= {"covariance": None, "polish": False}
    return MethodSpec(
        name=f"am_{variance}_{sparsity}{form[0]}",
        estimator="spcabench_methods.alternating.am_gpower:AMGPower",
        iterations="max_iter",
        tolerance="tol",
        title=f"Alternating maximisation of the {variance} variance, {_SPARSITY[sparsity]} {form}",
        family="alternating",
        sparse="weights",
        knob=CARDINALITY,
        parameters={name: p for name, p in AM_PARAMETERS.items() if name not in fixed},
        params=fixed,
        starts="init",
        requires=frozenset({"samples"} if variance == "l1" else ()),
        reference="Richtárik, Jahani, Ahipaşaoğlu and Takáč, Optimization and Engineering 22, 2021, 1493-1519",
        exempt={"column_order": _DRAWN}
        | ({"dense_limit": "it maximises the l1 norm of the scores"} if variance == "l1" else {}),
    )


def _varpro(variant: str) -> MethodSpec:
    fixed = {name: VARPRO_PARAMETERS[name].default for name in _UNUSED[variant]} | {"variant": variant}
    return MethodSpec(
        name=_VARIANTS[variant],
        estimator="spcabench_methods.alternating.varpro:VarProSPCA",
        iterations="max_iter",
        tolerance="tol",
        title=f"Sparse PCA by variable projection, {variant}",
        family="alternating",
        sparse="weights",
        knob=Knob("penalty", "alpha"),
        parameters={name: p for name, p in VARPRO_PARAMETERS.items() if name not in fixed},
        params=fixed,
        starts="init",
        requires=frozenset({"samples"} if variant == "robust" else ()),
        reference="Erichson, Zheng, Manohar, Brunton, Kutz and Aravkin, SIAM Journal on Applied Mathematics 80, "
        "2020, 977-1002",
        exempt={"column_order": _DRAWN}
        | ({"dense_limit": "it leaves out what it takes for outliers"} if variant == "robust" else {}),
    )


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of this family."""
    am_gpower = [
        _am_gpower(variance, sparsity, form)
        for variance in ("l2", "l1")
        for form in ("constrained", "penalised")
        for sparsity in ("l0", "l1")
    ]
    return [*am_gpower, *map(_varpro, _VARIANTS)]
