"""An iteration of SPCArt against the two products in it, of r x r with r x d and of r x d with d x r."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from claims import SPCART
from clocks import conclude, cpu, one_quiet_thread, seconds  # noqa: F401  (a fixture)
from problems import SIZES, samples
from spcabench_methods import PCA
from spcabench_methods.rotation.spcart import aligned
from spcabench_methods.truncations import truncations

ITERATIONS = 30
SHAPES = [(size, r) for size in SIZES for r in (5, 10, 20) if (size, r) != ("pitprops 13", 20)]


@cpu
@pytest.mark.parametrize("truncation", ["l1", "l0", "sp", "en"])
@pytest.mark.parametrize(("size", "r"), SHAPES)
def test_iteration(benchmark, size, r, truncation):
    V = np.ascontiguousarray(eigenvectors(size)[:r])
    d = V.shape[1]
    R, Z = np.linalg.qr(np.random.default_rng(0).standard_normal((r, r)))[0], np.empty_like(V)
    rule = truncations()[truncation]
    levels = np.full(r, float(rule.level.default(d)))

    def products():
        for _ in range(ITERATIONS):
            np.dot(R, V, out=Z)
            Z @ V.T

    def iterations():
        aligned(V, rule, levels, -1.0, ITERATIONS)

    iterations()
    rounds = int(np.clip(3e5 / (d * r), 5, 1000))
    theirs = seconds(products, rounds)
    benchmark.pedantic(iterations, rounds=rounds)
    theirs = min(theirs, seconds(products, rounds))
    ratio = benchmark.stats.stats.min / theirs
    conclude(
        benchmark,
        SPCART,
        ratio,
        d=d,
        r=r,
        truncation=truncation,
        **{"products us": 1e6 * theirs / ITERATIONS},
    )


@cache
def eigenvectors(size):
    """Return the leading eigenvectors as rows."""
    X = samples(size)
    return PCA(min(20, X.shape[1])).fit(X).components_
