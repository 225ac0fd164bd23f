"""The search of RSVDGP for its level: guesses, and where a search ends."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from spcabench_datasets.hastie import load_exact
from spcabench_methods import RSVDGP
from spcabench_methods.truncations import truncations

pytestmark = pytest.mark.filterwarnings("ignore")


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
    assert searched.n_fits_ <= 25


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
    assert np.median(fits) <= 2
    assert max(fits) <= 20
