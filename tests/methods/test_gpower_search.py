"""What GPower's ascents settle for its search, and what that spares."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine
from spcabench_methods import GPower
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.core.starts import first_variance
from spcabench_methods.power import ascent
from spcabench_methods.power.ascent import penalised_ascent
from spcabench_methods.power.passed import Passed
from spcabench_methods.truncations.hard import hard

WITHIN = 1e-9


def drawn(seed):
    """Draw second moments, compact or not, a penalty and a start."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(5, 60, 2)
    X = rng.standard_normal((n, d)) @ np.diag(rng.uniform(0.5, 1.5, d)) + 0.7 * rng.standard_normal((n, 1))
    X -= X.mean(0)
    moments = Gram(X.T @ X / n) if seed % 2 else Data(X)
    start = rng.standard_normal(d) * (rng.random(d) < 0.3) if seed % 3 else first_variance(moments, 1)
    return moments, rng.uniform(0.01, 0.8), start if start.any() else first_variance(moments, 1)


@pytest.mark.parametrize("tol", [1e-6, 1e-2])
@pytest.mark.parametrize("in_loops", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_each_threshold_within_the_limits_takes_the_same_way(monkeypatch, seed, in_loops, tol):
    if not in_loops:
        monkeypatch.setattr(ascent, "compact", lambda moments: None)
    moments, rho, start = drawn(seed)
    peak, passed = moments.diagonal.max(), Passed()
    found = penalised_ascent(moments, hard, rho, start, tol, 1000, passed)
    low, high = passed.low * (1.0 + WITHIN), min(passed.high, 1.1 * math.sqrt(peak)) * (1.0 - WITHIN)
    if high < math.sqrt(rho * peak):
        return
    assert low <= math.sqrt(rho * peak) * (1.0 + 2.0 * WITHIN)
    for share in (0.0, 0.1, 0.5, 0.9, 1.0):
        threshold = low + share * (high - low)
        other = penalised_ascent(moments, hard, min(threshold**2 / peak, 1.0), start, tol, 1000)
        assert other.n_iter == found.n_iter
        assert_array_equal(other.loading != 0.0, found.loading != 0.0)
        assert_allclose(other.loading, found.loading, atol=1e-12)


def test_the_limits_of_the_next_threshold_begin_where_those_of_the_last_end():
    met = 0
    for seed in range(0, 120, 3):
        moments, rho, start = drawn(seed)
        peak, passed, beyond = moments.diagonal.max(), Passed(), Passed()
        penalised_ascent(moments, hard, rho, start, 1e-6, 1000, passed)
        if passed.high < math.sqrt(peak):
            penalised_ascent(moments, hard, passed.high**2 / peak * (1.0 + WITHIN), start, 1e-6, 1000, beyond)
            assert_allclose(beyond.low, passed.high, rtol=1e-6)
            met += 1
    assert met > 10


def test_a_jump_of_hard_thresholds_is_proven_in_few_fits(pitprops):
    missed = {}
    for k in range(1, 13):
        found = GPower(6, k, penalty="l0", init="published", covariance="precomputed").fit(pitprops)
        missed[k] = found.n_fits_ / (6 + (~found.exact_cardinality_).sum())
    assert max(missed.values()) <= 5.0


def test_a_miss_of_soft_thresholds_takes_few_fits():
    rng = np.random.default_rng(0)
    X = np.hstack([1.5 * rng.standard_normal((50, 1)), rng.standard_normal((50, 1)) + rng.standard_normal((50, 8))])
    found = GPower(1, 4, init="published").fit(X)
    assert found.n_fits_ <= 14


@pytest.mark.parametrize("k", range(2, 12))
def test_the_result_is_that_of_a_fit(k):
    X = load_wine().data
    X = (X - X.mean(0)) / X.std(0)
    searched = GPower(6, k, init="published").fit(X)
    fitted = GPower(6, init="published", rho=searched.calibrated_params_["rho"]).fit(X)
    assert_array_equal(fitted.n_nonzero_, searched.n_nonzero_)
    assert_array_equal(fitted.n_iter_per_component_, searched.n_iter_per_component_)
    assert_array_equal(fitted.components_, searched.components_)


def test_the_smallest_penalty_takes_few_fits():
    X = np.random.default_rng(1).standard_normal((200, 300))
    for k in (5, 17, 60):
        assert GPower(1, k, refit=False).fit(X).n_fits_ <= GPower(1, k).fit(X).n_fits_ + 4
