"""Random data of the papers: hidden factors with noise and outliers, and spikes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import Same, add, at_least, check, exactly, near, zero
from published_checks.estimators import Array, drawn, features, fit

RSPCA = "Zhao, Meng, Xu 2014 (RSPCA)"
BLOCK = "5 6 7 8"
OPTIMAL = (
    "in the population two of 5..8 with 9 and 10 have variance 1249.7, three with one of them 1191.6: the "
    "published support is not what the method seeks; `reasons.py outlier_supports`"
)


# 20: ITSPCA on a spiked model


@cache
def spiked() -> tuple[Array, Array]:
    """Draw 200 samples of 500 features with spikes of 15 and 20 features and variances 20 and 10."""
    rng = np.random.default_rng(3)
    V = np.zeros((500, 2))
    V[:15, 0], V[15:35, 1] = 15**-0.5, 20**-0.5
    return rng.standard_normal((200, 500)) + rng.standard_normal((200, 2)) * np.sqrt([20.0, 10.0]) @ V.T, V


@cache
def thresholded() -> Any:
    return fit("itspca", spiked()[0], n_components=2)


def loss(W: Array) -> float:
    V = spiked()[1]
    return float(np.linalg.norm(W.T @ W - V @ V.T, ord=2) ** 2)


add(
    "20",
    "itspca",
    "two spikes, n = 200, d = 500: true features found of 35",
    at_least(33, 0.0),
    lambda: np.count_nonzero(thresholded().components_.any(axis=0)[:35]),
)
add(
    "20",
    "itspca",
    "two spikes: false features found",
    near(2, 3.0),
    lambda: np.count_nonzero(thresholded().components_.any(axis=0)[35:]),
)
add(
    "20",
    "itspca",
    "two spikes: features in the start, by the specified threshold",
    near(24, 4.0),
    lambda: np.count_nonzero(standardised().var(axis=0) >= 1 + 3 * np.sqrt(np.log(500) / 200)),
)
add("20", "itspca", "two spikes: iterations", near(3, 3.0), lambda: thresholded().n_iter_)
add(
    "20",
    "itspca",
    "two spikes: squared distance of projections",
    near(0.026, 0.02),
    lambda: loss(thresholded().components_),
)
add(
    "20",
    "pca",
    "two spikes: squared distance of projections",
    near(0.220, 0.06),
    lambda: loss(fit("pca", spiked()[0], n_components=2).components_),
)
add(
    "20",
    "itspca",
    "two spikes: |W'W - I|",
    zero(),
    lambda: np.abs(thresholded().components_ @ thresholded().components_.T - np.eye(2)).max(),
)


def standardised() -> Array:
    X = spiked()[0]
    return np.asarray(X / np.sqrt(np.median(X.var(axis=0))))


# C2, 21.6: noise

NOISE = (1.0, 100.0, 500.0, 1000.0, 2000.0, 4000.0)
DRAWS = 20


@cache
def firsts(method: str, noise: float, keys: tuple[tuple[str, Any], ...] = ()) -> tuple[str, ...]:
    """Return the first support of each draw of 10000 samples."""
    found = []
    for seed in range(DRAWS):
        X = drawn("hastie", seed, noise_variance=noise).X
        found.append(features(fit(method, X, n_components=1, n_nonzero=4, **dict(keys)).components_[0]))
    return tuple(found)


def found_blocks(method: str, keys: tuple[tuple[str, Any], ...] = ()) -> list[int]:
    return [firsts(method, noise, keys).count(BLOCK) for noise in NOISE]


ONES, PCA = (("random_state", 0),), (("init", "pca"), ("random_state", 0))
WHERE = "hidden factors with noise 1, 100, 500, 1000, 2000, 4000, k = 4: draws of 20 that find 5 6 7 8"
add(
    "21.6", "rspca", f"{WHERE}, start at ones", near([20, 20, 20, 20, 19, 16], 5.0), lambda: found_blocks("rspca", ONES)
)
add("21.6", "rspca", f"{WHERE}, start at PCA", near([20, 0, 2, 1, 2, 2], 5.0), lambda: found_blocks("rspca", PCA))
add("21.6", "exact", WHERE, near([18, 18, 18, 14, 9, 7], 5.0), lambda: found_blocks("exact"))


def aligned(w: Array, published: list[float]) -> Array:
    """Turn a loading to the sign of the published one."""
    return w if w @ published >= 0 else -w


NOISY_PCA = [-0.1422, -0.0815, -0.1017, -0.1134, 0.4067, 0.4095, 0.4346, 0.389, 0.3558, 0.3874]
NOISY_L1 = [-0.1183, -0.0997, -0.124, -0.1119, 0.3786, 0.3778, 0.4449, 0.3543, 0.4151, 0.4079]
for name, published in (("pca", NOISY_PCA), ("pca_l1", NOISY_L1)):
    add(
        "C2",
        name,
        "hidden factors with noise 4000, one draw: first loading",
        near(published, 0.1),
        lambda name=name, published=published: aligned(
            fit(name, drawn("hastie", 0, noise_variance=4000.0).X, n_components=1).components_[0], published
        ),
        f"{RSPCA}, Table 2",
    )


# C3, 21.6: outliers

OUTLIERS = (1.0, 10.0, 100.0, 500.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0, 6000.0)


@cache
def contaminated(variance: float) -> Array:
    X = drawn("hastie", 0, outlier_variance=variance).X
    assert X is not None
    return X


@cache
def robust(variance: float, p: float, init: str = "ones") -> Any:
    return fit("rspca", contaminated(variance), n_components=2, n_nonzero=4, p=p, init=init, n_init=5, random_state=0)


for p in (0.0, 0.5, 1.0):
    add(
        "C3",
        "rspca",
        f"hidden factors, 5 % outliers of variance 1 .. 6000, p = {p:g}: first supports of 10 on 5 6 7 8",
        exactly(10),
        lambda p=p: sum(features(robust(v, p).components_[0]) == BLOCK for v in OUTLIERS),
        f"{RSPCA}, Figure 3",
    )
    tolerance, values = (
        (0.01, [0.5] * 8) if p < 1.0 else (0.06, [0.5057, 0.5004, 0.4976, 0.4963, 0.5002, 0.4998, 0.5, 0.5])
    )
    add(
        "C3",
        "rspca",
        f"hidden factors, outliers of variance 6000, p = {p:g}: nonzeros of both loadings",
        near(values, tolerance),
        lambda p=p: robust(6000.0, p).components_[robust(6000.0, p).components_ != 0],
        f"{RSPCA}, Table 3",
    )
add(
    "C3",
    "rspca",
    "hidden factors, outliers of variance 6000: mean |x'w| of the start at ones",
    near(26.0, 0.5),
    lambda: robust(6000.0, 0.0).objective_[0] / 10000,
)
add(
    "C3",
    "rspca",
    "the same, best of many starts",
    near(27.6, 0.5),
    lambda: robust(6000.0, 0.0, "multi").objective_[0] / 10000,
)
add(
    "C3",
    "rspca",
    "the same, best of many starts: features of 9, 10 in its support",
    at_least(1, 0.0),
    lambda: np.count_nonzero(robust(6000.0, 0.0, "multi").components_[0, 8:]),
)

OUTLIER_PCA = [-0.0944, -0.0945, -0.0941, -0.0943, 0.3752, 0.3749, 0.3748, 0.3747, 0.4545, 0.4423]
OUTLIER_L1 = [-0.097, -0.0967, -0.0964, -0.0964, 0.3764, 0.3766, 0.3767, 0.3765, 0.4435, 0.4458]
for name, published in (("pca", OUTLIER_PCA), ("pca_l1", OUTLIER_L1)):
    add(
        "C3",
        name,
        "hidden factors, outliers of variance 6000, one draw: first loading",
        near(published, 0.05),
        lambda name=name, published=published: aligned(
            fit(name, contaminated(6000.0), n_components=1).components_[0], published
        ),
        f"{RSPCA}, Table 3",
    )
for name in ("pathspca", "empca"):
    params = {"random_state": 0} if name == "empca" else {}
    add(
        "C3",
        name,
        "hidden factors, outliers of variance 6000, k = 4: features of 5..8 and of 9, 10 in the first",
        Same("3 1"),
        lambda name=name, params=params: in_blocks(
            fit(name, contaminated(6000.0), n_components=1, n_nonzero=4, **params).components_[0]
        ),
        f"{RSPCA}, Table 3",
        OPTIMAL,
    )


def in_blocks(w: Array) -> str:
    return f"{np.count_nonzero(w[4:8])} {np.count_nonzero(w[8:])}"


# A1: how often the sample variances of the first two factors swap


@check("A1", "hastie", "200 draws of 5000 samples: share in which block 1..4 varies more than 5..8", near(0.12, 0.06))
def swapped() -> object:
    variances = []
    for seed in range(200):
        X = drawn("hastie", seed, n=5000).X
        variances.append([X[:, :4].mean(axis=1).var(), X[:, 4:8].mean(axis=1).var()])
    return np.mean(np.array(variances)[:, 0] > np.array(variances)[:, 1])


@check(
    "21.7",
    "rspca",
    "hidden factors, outliers of variance 6000: largest difference of p = 1/2 from p = 0",
    at_least(1e-5, 1e-6),
)
def half_is_not_zero() -> object:
    return np.abs(robust(6000.0, 0.5).components_ - robust(6000.0, 0.0).components_).max()
