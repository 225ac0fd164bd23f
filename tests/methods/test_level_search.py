"""The searches of GPower and RSVDGP for a level: guesses, what they return, and where they end."""

import numpy as np
import pytest
from spcabench_methods import RSVDGP, GPower
from spcabench_methods.truncations import truncations

pytestmark = pytest.mark.filterwarnings("ignore")


def weak_spikes():
    rng = np.random.default_rng(0)
    W = np.zeros((2, 500))
    W[0, :10] = W[1, 10:20] = 1.0
    return rng.standard_normal((50, 2)) @ W + rng.standard_normal((50, 500))


def test_it_takes_few_fits_where_it_hits(pitprops):
    found = [GPower(1, k, covariance="precomputed").fit(pitprops) for k in range(1, 14)]
    assert all(gpower.exact_cardinality_.all() for gpower in found)
    assert max(gpower.n_fits_ for gpower in found) <= 2
    spiked = GPower(2, 10).fit(weak_spikes())
    assert spiked.exact_cardinality_.all()
    assert spiked.n_fits_ <= 6


@pytest.mark.filterwarnings("ignore:the requested cardinality was not reached")
@pytest.mark.parametrize("penalty", ["l0", "l1"])
def test_it_stops_at_a_jump(penalty):
    x = np.random.default_rng(0).standard_normal((50, 1))
    noise = np.random.default_rng(1).standard_normal((50, 9))
    X = np.hstack([1.5 * x, x + 1.2 * noise[:, :8]])
    gpower = GPower(1, 4, penalty=penalty, init="published").fit(X)
    fits = [GPower(1, penalty=penalty, init="published", rho=rho).fit(X) for rho in np.linspace(0.0, 0.99, 400)]
    there = {int(fit.n_nonzero_[0]) for fit in fits}
    assert 4 not in there
    assert max(n for n in there if n < 4) <= gpower.n_nonzero_[0] < 4
    assert gpower.n_fits_ <= 20


@pytest.mark.parametrize("init", ["several", "published"])
def test_no_other_penalty_with_as_many_nonzeros_shrinks_less(init):
    X = weak_spikes()
    searched = GPower(1, 10, refit=False, init=init).fit(X)
    (rho,) = searched.calibrated_params_["rho"]
    chosen = {**searched.calibrated_params_, "init": init, "refit": False}
    others = [GPower(1, **{**chosen, "rho": share * rho}).fit(X) for share in np.linspace(0.8, 1.2, 41)]
    variances = [other.explained_variance_[0] for other in others if other.n_nonzero_[0] == 10]
    assert len(variances) > 1
    assert searched.explained_variance_[0] >= max(variances) - 1e-4


@pytest.mark.parametrize("edge", [0.1, 0.3, 0.9])
@pytest.mark.parametrize("symbol", ["l0", "l1", "half", "scad", "en"])
def test_a_level_leaves_as_many_entries_as_wanted(symbol, edge):
    truncation = truncations()[symbol]
    for seed in range(5):
        v = np.random.default_rng(seed).standard_normal(20)
        v /= np.linalg.norm(v)
        for k in (1, 7, 19):
            assert np.count_nonzero(truncation(v, truncation.leaving(v, k, edge))) == k


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


@pytest.mark.parametrize("truncation", ["l1", "l0", "en"])
def test_most_targets_are_hit_at_once(truncation):
    fits = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((50, 30)) + 2.0 * rng.standard_normal((50, 1)) * rng.uniform(0.0, 1.0, 30)
        fits.append(RSVDGP(1, 6, truncation=truncation).fit(X).n_fits_)
    assert np.median(fits) <= 2
    assert max(fits) <= 20
