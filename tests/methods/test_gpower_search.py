"""GPower's search for a penalty: what it returns is a fit, and that of the smallest penalty where it shrinks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine
from spcabench_methods import GPower


@pytest.mark.filterwarnings("ignore:the requested cardinality was not reached")
@pytest.mark.parametrize("penalty", ["l0", "l1"])
@pytest.mark.parametrize("k", [2, 5, 8, 11])
def test_the_result_is_that_of_a_fit(k, penalty):
    X = load_wine().data
    X = (X - X.mean(0)) / X.std(0)
    searched = GPower(6, k, init="published", penalty=penalty).fit(X)
    fitted = GPower(6, init="published", penalty=penalty, rho=searched.calibrated_params_["rho"]).fit(X)
    assert_array_equal(fitted.n_nonzero_, searched.n_nonzero_)
    assert_array_equal(fitted.n_iter_per_component_, searched.n_iter_per_component_)
    assert_array_equal(fitted.components_, searched.components_)


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
