"""The search of RSVDGP for its level: levels that repeat the steps of a fit, proposals, and where a search ends."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from spcabench_datasets.hastie import load_exact
from spcabench_methods import RSVDGP
from spcabench_methods.core.base import Component
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.core.starts import max_variance
from spcabench_methods.power.relative import Relative, Stop, best_relative, relative_power
from spcabench_methods.power.relative_steps import relative_step
from spcabench_methods.truncations import truncations

pytestmark = pytest.mark.filterwarnings("ignore")


def moments(seed, few_samples):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((12, 30)) * rng.uniform(0.5, 2.0, 30)
    X -= X.mean(axis=0)
    if not few_samples:
        return Gram(X.T @ X / len(X))
    deflated = Data(X)
    deflated.deflate(max_variance(deflated, 1))
    return deflated


def ended(rest, symbol, level):
    return relative_power(rest, relative_step(truncations()[symbol]), level, max_variance(rest, 1), Stop(1e-6, 1000))


@pytest.mark.parametrize("few_samples", [False, True])
@pytest.mark.parametrize("symbol", ["l0", "en"])
def test_levels_of_the_interval_repeat_the_fit_and_the_next_do_not(symbol, few_samples):
    for seed in range(20):
        rest = moments(seed, few_samples)
        level = np.random.default_rng(seed).uniform(0.01, 0.4)
        end = ended(rest, symbol, level)
        assert end.low <= level < end.high
        inside = [end.low, *np.linspace(end.low, end.high, 5)[1:-1], np.nextafter(end.high, 0.0)]
        for other in inside:
            again = ended(rest, symbol, other)
            assert_array_equal(again.component.loading, end.component.loading)
            assert again.component.n_iter == end.component.n_iter
        width = 1e-9 * end.high
        if end.high + width < 1.0:
            assert ended(rest, symbol, end.high + width).low >= end.high
        if end.low > 0.0:
            assert ended(rest, symbol, end.low - width).high <= end.low


def test_levels_of_several_starts_repeat_all_of_them():
    first, second = Component(np.ones(1), 1.0), Component(np.ones(1), 2.0)
    ends = [Relative(first, 0.1, 0.3), Relative(second, 0.2, 0.4)]
    assert best_relative(ends) == Relative(second, 0.2, 0.3)


@pytest.mark.parametrize("edge", [0.1, 0.3, 0.9])
@pytest.mark.parametrize("symbol", ["l0", "l1", "half", "scad", "en"])
def test_a_level_leaves_as_many_entries_as_wanted(symbol, edge):
    truncation = truncations()[symbol]
    for seed in range(5):
        v = np.random.default_rng(seed).standard_normal(20)
        v /= np.linalg.norm(v)
        for k in (1, 7, 19):
            assert np.count_nonzero(truncation.compiled(v, truncation.leaving(v, k, edge))) == k


def alike(groups, n=400):
    """Return groups of features that are alike, so that those of a group enter together."""
    rng = np.random.default_rng(1)
    return np.column_stack([s * rng.standard_normal((n, 1)) * np.ones(size) for size, s in groups])


@pytest.mark.parametrize("truncation", ["l1", "l0"])
def test_a_search_ends_at_a_jump(truncation):
    X = alike([(6, 1.0), (9, 0.4), (30, 0.1)])
    searched = RSVDGP(1, 3, truncation=truncation).fit(X)
    assert not searched.exact_cardinality_.any()
    assert searched.n_fits_ <= 25


def test_a_search_ends_where_the_next_entries_come_together():
    S = load_exact(np.random.default_rng(0), 10, 1.0).covariance
    searched = RSVDGP(1, 2, truncation="l1", covariance="precomputed").fit(S)
    assert not searched.exact_cardinality_.any()
    assert searched.n_fits_ <= 12


@pytest.mark.parametrize("truncation", ["l1", "l0", "en"])
def test_what_a_search_returns_is_a_whole_fit(truncation):
    for seed in range(12):
        X = np.random.default_rng(seed).standard_normal((40, 80))
        searched = RSVDGP(1, 10, truncation=truncation).fit(X)
        repeated = clone(searched).set_params(**searched.calibrated_params_).fit(X)
        assert_array_equal(repeated.n_nonzero_, searched.n_nonzero_)
        assert_array_equal(repeated.n_iter_per_component_, searched.n_iter_per_component_)


@pytest.mark.parametrize("truncation", ["l1", "l0", "en"])
def test_most_targets_are_hit_at_once(truncation):
    fits = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((50, 30)) + 2.0 * rng.standard_normal((50, 1)) * rng.uniform(0.0, 1.0, 30)
        fits.append(RSVDGP(1, 6, truncation=truncation).fit(X).n_fits_)
    assert np.median(fits) <= 1
    assert max(fits) <= 8
