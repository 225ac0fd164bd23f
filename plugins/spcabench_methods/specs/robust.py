"""Robust methods, and those with robust variants: of the families robust and alternating, as a benchmark knows them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product

from spcabench import CARDINALITY, Knob, MethodSpec, hookimpl

_robust = partial(MethodSpec, family="robust", requires=frozenset({"samples"}))
_iterated = partial(_robust, iterations="max_iter", tolerance="tol")
_alternating = partial(
    MethodSpec, family="alternating", sparse="weights", starts="init", iterations="max_iter", tolerance="tol"
)

_L1 = "it maximises the l1 norm of the scores"
_OUTLIERS = "it leaves out what it takes for outliers"
_BOUNDED = "it minimises a sum in which large residuals count less than their squares"
_DRAWN = "its starts are drawn feature by feature"

_GRID = {"knob": "the angles of its grid lead to exact zeros", "dense_limit": "it maximises a robust scale"}
_SWERVING = {"planted_support": "as its penalty grows the count rises and falls, and a search for it may miss"}
_SPARSITY = {"l0": "cardinality", "l1": "l1 norm"}
_SKETCH: Mapping[str, object] = {"n_oversamples": 20, "n_power_iter": 2}


def _am_gpower(variance: str, form: str, sparsity: str) -> MethodSpec:
    fixed: dict[str, object] = {"variance": variance, "sparsity": sparsity, "form": form}
    if form != "penalised":
        fixed["rho"] = None
    if (sparsity, form) != ("l1", "constrained"):
        fixed["bound"] = None
    if variance == "l1":
        fixed |= {"covariance": None, "polish": False}
    return _alternating(
        name=f"am_{variance}_{sparsity}{form[0]}",
        estimator="spcabench_methods.alternating.am_gpower:AMGPower",
        title=f"Alternating maximisation of the {variance} variance, {_SPARSITY[sparsity]} {form}",
        knob=CARDINALITY,
        params=fixed,
        requires=frozenset({"samples"} if variance == "l1" else ()),
        reference="Richtárik, Jahani, Ahipaşaoğlu and Takáč, Optimization and Engineering 22, 2021, 1493-1519",
        exempt={"column_order": _DRAWN, "column_sign": _DRAWN, **({"dense_limit": _L1} if variance == "l1" else {})},
    )


def _varpro(name: str, variant: str, unused: Mapping[str, object], exempt: Mapping[str, str]) -> MethodSpec:
    return _alternating(
        name=name,
        estimator="spcabench_methods.alternating.varpro:VarProSPCA",
        title=f"Sparse PCA by variable projection, {variant}",
        knob=Knob("penalty", "alpha"),
        params={**unused, "variant": variant},
        requires=frozenset({"samples"} if variant == "robust" else ()),
        reference="Erichson, Zheng, Manohar, Brunton, Kutz and Aravkin, SIAM Journal on Applied Mathematics 80, "
        "2020, 977-1002",
        exempt=exempt,
    )


@hookimpl
def spcabench_methods() -> list[MethodSpec]:
    """Return the methods of these families."""
    spca_grid = [
        _robust(
            name=f"spcagrid_{scale}",
            estimator="spcabench_methods.robust.spca_grid:SPCAGrid",
            title=f"Sparse projection pursuit on a grid, {title}",
            sparse="weights",
            knob=CARDINALITY,
            params={"scale": scale},
            starts="init",
            reference="Croux, Filzmoser and Fritz, Technometrics 55, 2013, 202-214",
            exempt=exempt,
        )
        for scale, title, exempt in (
            ("sd", "standard deviation", {}),
            ("mad", "median absolute deviation", _GRID),
            ("qn", "Qn", _GRID | _SWERVING),
        )
    ]
    return [
        _iterated(
            name="pca_l1",
            estimator="spcabench_methods.robust.pca_l1:PCAL1",
            title="Principal component analysis of largest l1 variance",
            starts="init",
            reference="Kwak, IEEE TPAMI 30, 2008, 1672-1680",
            exempt={"dense_limit": _L1},
        ),
        _iterated(
            name="r1_pca",
            estimator="spcabench_methods.robust.r1_pca:R1PCA",
            title="Rotational invariant l1-norm principal component analysis",
            reference="Ding, Zhou, He and Zha, ICML, 2006, 281-288",
            exempt={"dense_limit": _BOUNDED},
        ),
        _iterated(
            name="robust_subspace",
            estimator="spcabench_methods.robust.robust_subspace:RobustSubspace",
            title="Robust subspace learning: bounded functions of the residuals",
            reference="De la Torre and Black, International Journal of Computer Vision 54, 2003, 117-142",
            exempt={"dense_limit": _BOUNDED},
        ),
        _iterated(
            name="rspca",
            estimator="spcabench_methods.robust.rspca:RSPCA",
            title="Robust sparse PCA: l1 variance under an l_p constraint",
            sparse="weights",
            knob=CARDINALITY,
            starts="init",
            reference="Zhao, Meng and Xu, Science China Information Sciences 57, 2014, 092115, algorithm 1",
            exempt={"dense_limit": _L1},
        ),
        *spca_grid,
        _robust(
            name="rospca",
            estimator="spcabench_methods.robust.rospca:ROSPCA",
            title="Robust sparse PCA of the samples that distances leave",
            sparse="weights",
            knob=CARDINALITY,
            reference="Hubert, Reynkens, Schmitt and Verdonck, Technometrics 58, 2016, 424-434",
            exempt={"dense_limit": _OUTLIERS},
        ),
        *(_am_gpower(*chosen) for chosen in product(("l2", "l1"), ("constrained", "penalised"), ("l0", "l1"))),
        _varpro("varpro", "plain", {"gamma": 1.0, **_SKETCH}, {}),
        _varpro("varpro_random", "random", {"gamma": 1.0}, {"column_order": "its sketch is drawn feature by feature"}),
        _varpro("varpro_robust", "robust", {**_SKETCH, "covariance": None}, {"dense_limit": _OUTLIERS}),
    ]
