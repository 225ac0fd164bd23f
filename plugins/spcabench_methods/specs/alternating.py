"""The methods of the family alternating, as a benchmark knows them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from spcabench import CARDINALITY, Knob, MethodSpec, hookimpl

_method = partial(
    MethodSpec, family="alternating", sparse="weights", starts="init", iterations="max_iter", tolerance="tol"
)

_SPARSITY = {"l0": "cardinality", "l1": "l1 norm"}
_UNUSED: Mapping[str, Mapping[str, object]] = {
    "plain": {"gamma": 1.0, "n_oversamples": 20, "n_power_iter": 2},
    "random": {"gamma": 1.0},
    "robust": {"n_oversamples": 20, "n_power_iter": 2, "covariance": None},
}
_VARIANTS = {"plain": "varpro", "random": "varpro_random", "robust": "varpro_robust"}


_DRAWN = "its starts are drawn feature by feature"
_VARIED: Mapping[str, Mapping[str, str]] = {
    "plain": {},
    "random": {"column_order": "its sketch is drawn feature by feature"},
    "robust": {"dense_limit": "it leaves out what it takes for outliers"},
}


def _am_gpower(variance: str, sparsity: str, form: str) -> MethodSpec:
    fixed: dict[str, object] = {"variance": variance, "sparsity": sparsity, "form": form}
    if form != "penalised":
        fixed["rho"] = None
    if (sparsity, form) != ("l1", "constrained"):
        fixed["bound"] = None
    if variance == "l1":
        fixed |= {"covariance": None, "polish": False}
    return _method(
        name=f"am_{variance}_{sparsity}{form[0]}",
        estimator="spcabench_methods.alternating.am_gpower:AMGPower",
        title=f"Alternating maximisation of the {variance} variance, {_SPARSITY[sparsity]} {form}",
        knob=CARDINALITY,
        params=fixed,
        requires=frozenset({"samples"} if variance == "l1" else ()),
        reference="Richtárik, Jahani, Ahipaşaoğlu and Takáč, Optimization and Engineering 22, 2021, 1493-1519",
        exempt={"column_order": _DRAWN, "column_sign": _DRAWN}
        | ({"dense_limit": "it maximises the l1 norm of the scores"} if variance == "l1" else {}),
    )


def _varpro(variant: str) -> MethodSpec:
    return _method(
        name=_VARIANTS[variant],
        estimator="spcabench_methods.alternating.varpro:VarProSPCA",
        title=f"Sparse PCA by variable projection, {variant}",
        knob=Knob("penalty", "alpha"),
        params={**_UNUSED[variant], "variant": variant},
        requires=frozenset({"samples"} if variant == "robust" else ()),
        reference="Erichson, Zheng, Manohar, Brunton, Kutz and Aravkin, SIAM Journal on Applied Mathematics 80, "
        "2020, 977-1002",
        exempt=_VARIED[variant],
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
