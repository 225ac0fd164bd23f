"""Proximal gradient on orthonormal columns: the objectives on pitprops, descent, and the criterion of SPCA."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from published_checks.claims import Expected, Same, add, at_most, check, exactly, near, zero
from published_checks.estimators import counts, covariance, fit_covariance, known, of_fit

LONG: dict[str, Any] = {"tol": 1e-12, "max_iter": 100_000}

MANPG = {
    1: [-3.909861, -3.606336, -3.016910, -1.915823],
    2: [-5.986898, -5.413255, -4.362864, -2.66452],
    3: [-7.66300, -6.87722, -5.419220, -3.036165],
    6: [-10.07194, -8.982925, -7.008281, -3.582047],
}
SPARSE_MANPG = {1: "9", 2: "8 2", 3: "5 2 4", 6: "5 2 3 1 1 1"}
AMANPG: list[tuple[int, float | str, list[float], str]] = [
    (1, 1.0, [-3.167341, -2.941013, -2.532760, -1.551848], "7"),
    (4, 1.0, [-6.237617, -5.676942, -4.712510, -2.577997], "6 2 4 1"),
    (6, 1.0, [-6.925057, -6.288094, -5.184113, -2.760047], "6 2 3 1 1 1"),
    (6, 1e-6, [-10.242791, -9.369594, -7.825559, -4.129599], "5 2 2 1 1 1"),
    (4, "inf", [-25.615198, -23.296270, -19.197721, -10.316304], "8 4 4 1"),
    (6, "inf", [-26.863412, -24.283092, -19.871640, -10.572415], "7 2 4 1 1 1"),
]


def manpg(r: int, mu: float, **params: Any) -> Any:
    return known("manpg", "pitprops", n_components=r, mu=mu, **params)


def amanpg(r: int, l2: float | str, l1: float, way: str = "gradient") -> Any:
    return known("amanpg", "pitprops", n_components=r, l2=l2, l1=l1, orthonormal_step=way, **LONG)


def objectives(fitted: Callable[..., Any], levels: tuple[float, ...]) -> list[float]:
    return [float(fitted(level).objective_[0]) for level in levels]


MUS = (0.1, 0.2, 0.4, 0.8)
for r, values in MANPG.items():
    what = f"pitprops, {r} components, mu = 0.1, 0.2, 0.4, 0.8: objectives"
    add("N5.1", "manpg", what, near(values, 1e-5), partial(objectives, partial(manpg, r), MUS))
    few: dict[str, Expected] = {"nonzeros": Same(SPARSE_MANPG[r])}
    of_fit("N5.1", "manpg", "pitprops", f"pitprops, {r} components, mu = 0.8", few, n_components=r, mu=0.8)


@check("N5.1", "manpg", "pitprops, 3 components, mu = 0: objective and iterations", near([-8.474960, 1], 5e-7))
def unpenalised() -> object:
    return [manpg(3, 0.0).objective_[0], manpg(3, 0.0).n_iter_]


@check("N5.1", "manpg", "pitprops, 6 components: how far the loadings are from orthonormal", at_most(1e-5, 1e-6))
def orthonormal() -> object:
    fits = [manpg(6, mu).components_ for mu in (0.1, 0.2, 0.4, 0.8)]
    return max(float(np.abs(W @ W.T - np.eye(6)).max()) for W in fits)


for r, l2, values, sparse in AMANPG:
    where = f"pitprops, {r} components, l2 = {l2:g}" if l2 != "inf" else f"pitprops, {r} components, l2 = inf"
    gradient, polar = (partial(amanpg, r, l2, way=way) for way in ("gradient", "polar"))
    what = f"{where}, l1 = 0.1, 0.2, 0.4, 1: objectives"
    add("N5.2", "amanpg", what, near(values, 1e-6), partial(objectives, gradient, (0.1, 0.2, 0.4, 1.0)))
    what = f"{where}, l1 = 0.2, 0.4, 1, polar factors: objectives"
    add("N5.2", "amanpg", what, near(values[1:], 1e-6), partial(objectives, polar, (0.2, 0.4, 1.0)))
    add("N5.2", "amanpg", f"{where}, l1 = 1: nonzeros", Same(sparse), lambda gradient=gradient: counts(gradient(1.0)))


@check("N5.2", "amanpg", "pitprops, 6 components, l2 = inf, l1 = 0.1, polar factors: objective", near(-26.858165, 1e-6))
def other_minimum() -> object:
    return amanpg(6, "inf", 0.1, "polar").objective_[0]


@check("N5.2", "amanpg", "pitprops, 4 components: largest rise of the objective in 30 steps", zero(1e-10))
def rises() -> object:
    S = covariance("pitprops")
    runs = [
        [fit_covariance("amanpg", S, n_components=4, l2=l2, tol=0.0, max_iter=m).objective_[0] for m in range(1, 31)]
        for l2 in (1.0, "inf")
    ]
    return max(0.0, np.diff(runs).max())


@check("N5.2", "amanpg", "pitprops, 3 components, l1 = 0.4: features that differ from those of SPCA", exactly(0, 0))
def as_spca() -> object:
    S = covariance("pitprops")
    return [
        np.count_nonzero(
            (amanpg(3, l2, 0.4).components_ != 0.0)
            != (
                fit_covariance("spca_l1", S, n_components=3, l1=0.4, ridge=l2, tol=1e-9, max_iter=10_000).components_
                != 0.0
            )
        )
        for l2 in (1.0, "inf")
    ]
