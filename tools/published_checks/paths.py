"""The solution path of COP-PCA: its laws at every step, and its numbers on pitprops."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from published_checks.claims import SPECIFICATION, Expected, add, at_most, check, near, zero
from published_checks.estimators import Array, covariance, fit_covariance, known
from published_checks.pitprops import OPTIMUM
from published_checks.plain import decaying

COP = "Meng, Cui, Xu, Jing 2013 (COP-PCA)"
N_STEPS = 1000


@cache
def spectra() -> dict[str, Array]:
    """Return the matrices that paths are followed on."""
    return {
        "pitprops": covariance("pitprops"),
        "hidden factors": covariance("hastie_exact"),
        "random matrix": np.cov(decaying(1, 200, 20).T, bias=True),
    }


@cache
def path(name: str, n_steps: int = N_STEPS) -> Any:
    fitted = fit_covariance("cop", spectra()[name], n_components=1, n_nonzero=1, n_steps=n_steps, n_candidates=None)
    return fitted.path_[0]


@cache
def iterates(name: str) -> Array:
    found = path(name)
    return np.array([found.iterate(t) for t in range(found.n_steps + 1)])


def whole(name: str) -> Array:
    """Return which steps drop no feature: only those are of full length."""
    return np.diff(path(name).nnz) == 0


def epsilon(name: str) -> float:
    return float(path(name).c ** 2 - 1) / N_STEPS


def squares(name: str) -> Array:
    return np.asarray(np.diff((iterates(name) ** 2).sum(axis=1)))


@cache
def rises(name: str) -> Array:
    W = iterates(name)
    return np.asarray(np.diff(np.einsum("ti,ij,tj->t", W, spectra()[name], W)))


FIGURE = f"{COP}, Figure 5"
LAWS: tuple[tuple[str, Expected, Callable[[str], object], str], ...] = (
    (
        "how far ||w||_1 leaves c, relative",
        zero(1e-12),
        lambda name: np.abs(np.abs(iterates(name)).sum(axis=1) / path(name).c - 1).max(),
        FIGURE,
    ),
    (
        "how far steps of full length leave epsilon in w'w",
        zero(1e-12),
        lambda name: np.abs(squares(name)[whole(name)] - epsilon(name)).max(),
        FIGURE,
    ),
    (
        "how far the others exceed epsilon",
        zero(1e-12),
        lambda name: max(0.0, (squares(name) - epsilon(name)).max()),
        SPECIFICATION,
    ),
    ("steps that do not raise w'Sw", near(0, 0.0), lambda name: np.count_nonzero(rises(name) <= 0), FIGURE),
    (
        "steps that add a feature",
        near(0, 0.0),
        lambda name: np.count_nonzero(np.diff((iterates(name) != 0).sum(axis=1)) > 0),
        SPECIFICATION,
    ),
    (
        "how far w'w at the end is from c^2, relative",
        zero(1e-10),
        lambda name: abs((iterates(name)[-1] ** 2).sum() / path(name).c ** 2 - 1),
        SPECIFICATION,
    ),
)
for name in spectra():
    for what, expected, compute, source in LAWS:
        add("22.7", "cop", f"{name}, {N_STEPS} steps, all pairs: {what}", expected, partial(compute, name), source)


def gain_error(name: str) -> float:
    """Compare the gain J(i, j) of section 22.1 with the increase of w'Sw, in steps of full length."""
    S, W, worst = spectra()[name], iterates(name), 0.0
    for t in np.flatnonzero(whole(name)):
        w, (i, j), eta = W[t], path(name).pairs[t], path(name).lengths[t]
        s, g = np.sign(w), S @ w
        gain = 2 * (s[i] * g[i] - s[j] * g[j]) * eta + (S[i, i] + S[j, j] - 2 * s[i] * s[j] * S[i, j]) * eta**2
        worst = max(worst, abs(gain - rises(name)[t]) / S.diagonal().max())
    return worst


for name in spectra():
    what = f"{name}, {N_STEPS} steps: difference of J(i, j) from the increase of w'Sw"
    add("22.7", "cop", what, zero(1e-12), partial(gain_error, name))

for n_steps, made in ((100, 108), (1000, 1007), (10_000, 10_007)):
    add(
        "22.7",
        "cop",
        f"pitprops, {n_steps} steps: steps of the whole path",
        near(made, 0.0),
        lambda n_steps=n_steps: path("pitprops", n_steps).n_steps,
    )
add(
    "22.7",
    "cop",
    "pitprops, 10000 steps: w'w at the end",
    near(9.71067, 5.1e-6),
    lambda: path("pitprops", 10_000).s[-1],
)


@check(
    "22.3",
    "cop",
    "pitprops, 10000 steps, k = 4: variance of the first and of the last loading",
    near([2.599, 2.284], 5.1e-4),
)
def first_and_last() -> object:
    found = path("pitprops", 10_000)
    four = np.flatnonzero(found.nnz == 4)
    return found.variance[four[[0, -1]]]


def cop(k: int, **params: Any) -> Any:
    return known("cop", "pitprops", n_components=1, n_nonzero=k, **{"n_steps": 10_000, "n_candidates": None, **params})


@check("22.7", "cop", "pitprops, 10000 steps, k = 1..13: variances", near([*OPTIMUM[:8], 4.116, *OPTIMUM[9:]], 6e-4))
def variances() -> object:
    return [cop(k).objective_[0] for k in range(1, 14)]


@check(
    "A2",
    "cop",
    "pitprops, 10000 steps, k = 1..13, any pair or few candidates: how far from the optimum",
    zero(1e-3),
    COP,
)
def ideal() -> object:
    found = [max(cop(k).objective_[0], cop(k, n_candidates=3).objective_[0]) for k in range(1, 14)]
    return max(0.0, *(best - value for best, value in zip(OPTIMUM, found, strict=True)))


for m, at_four, at_nine in ((1, 2.883, 4.139), (2, 2.859, 4.139), (3, 2.937, 4.139)):
    add(
        "22.2",
        "cop",
        f"pitprops, 10000 steps, {m} candidates, k = 4 and 9: variances",
        near([at_four, at_nine], 6e-4),
        lambda m=m: [cop(k, n_candidates=m).objective_[0] for k in (4, 9)],
    )
add(
    "22.2",
    "cop",
    "pitprops, 10000 steps, all pairs, k = 4 and 9: variances",
    near([2.937, 4.116], 6e-4),
    lambda: [cop(k).objective_[0] for k in (4, 9)],
)

for name, params in (
    ("dspca", {}),
    ("empca", {"n_init": 20, "random_state": 0}),
    ("gpower_l1", {}),
    ("gpower_l0", {}),
):
    reason = "" if name == "gpower_l0" else "the gap is at k = 9, 4.116 instead of 4.139; the figure does not show it"
    add(
        "A2",
        name,
        "pitprops, k = 1..13: largest gap to the optimum, %",
        at_most(0.05, 0.01),
        lambda name=name, params=params: max(
            100
            * (
                1
                - known(name, "pitprops", n_components=1, n_nonzero=k, refit=True, **params).explained_variance_[0]
                / best
            )
            for k, best in enumerate(OPTIMUM, 1)
        ),
        f"{COP}, Figure 4a",
        reason,
    )
