"""Each family of solvers on fixed small data, with a reference fit in turns; run by ``pytest -n 0 tests/perf``."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from clocks import cpu, one_quiet_thread  # noqa: F401  (a fixture)
from solvers import CASES

from spcabench.perf.worker import quality

ROUND = 0.1
"""Seconds of a round at least."""
ROUNDS = 5


def reference(X):
    """Fit PCA with a few lines of NumPy: a reference that no commit of ours changes."""
    return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]


def seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def in_a_round(call, X):
    """Return how many calls take a round."""
    return math.ceil(1.2 * ROUND / max(1e-6, min(seconds(lambda: call(X)) for _ in range(5))))


@cpu
@pytest.mark.parametrize("name", CASES)
def test_fit(benchmark, name):
    method, X = CASES[name].prepare()
    for _ in range(3):
        method.fit(X)
    fits, references = in_a_round(method.fit, X), in_a_round(reference, X)
    beside = []

    def in_turn():
        beside.append(seconds(lambda: [reference(X) for _ in range(references)]) / references)

    def a_round():
        for _ in range(fits):
            method.fit(X)

    benchmark.group = f"{CASES[name].family}, {CASES[name].size}"
    benchmark.name = name
    benchmark.pedantic(a_round, setup=in_turn, rounds=ROUNDS)
    ratios = [ours / fits / theirs for ours, theirs in zip(benchmark.stats.stats.data, beside, strict=True)]
    benchmark.extra_info |= {"fits": fits, "ratio to the reference": float(np.median(ratios)), **quality(method, X)}
    assert benchmark.extra_info["variance"] > 0.0
