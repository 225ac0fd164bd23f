"""DSPCA against published numbers, the first-order method, bounds and limits."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
import reference_power
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import DSPCA, PCA, FirstOrderDSPCA

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}
SEVEN = [1, 2, 6, 7, 8, 9, 10]
ELEVEN = [1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 13]


@pytest.mark.parametrize(
    ("lam", "phi", "support"), [(0.1, 3.346005, ELEVEN), (0.2, 2.648082, SEVEN), (0.3, 2.013737, SEVEN)]
)
def test_pitprops(pitprops, lam, phi, support):
    dspca = DSPCA(1, lam=lam, tol=0.0, max_iter=25, **GIVEN).fit(pitprops)
    assert_allclose(dspca.objective_[0], phi, atol=2e-6)
    assert_array_equal(np.flatnonzero(dspca.components_[0]) + 1, support)
    assert phi <= dspca.upper_bound_[0] <= 1.005 * phi


@pytest.mark.parametrize("lam", [0.1, 0.3])
def test_pitprops_first_order_method_brackets_it(pitprops, lam):
    lower, upper = reference.dspca_first_order(pitprops, lam, eps=5e-3, n_iter=1600)
    assert upper - lower <= 5e-3
    dspca = DSPCA(1, lam=lam, **GIVEN).fit(pitprops)
    assert lower - 1e-6 <= dspca.objective_[0] <= upper + 1e-6


@pytest.mark.parametrize(("lam", "n_iter"), [(0.1, 350), (0.2, 1000), (0.3, 1500)])
def test_pitprops_by_the_first_order_method(pitprops, lam, n_iter):
    """The specification, section 7b: the gap of 0.005 closes after about so many iterations."""
    found, blocks = FirstOrderDSPCA(1, lam=lam, **GIVEN).fit(pitprops), DSPCA(1, lam=lam, **GIVEN).fit(pitprops)
    assert found.n_iter_ <= 1.1 * n_iter
    assert found.objective_[0] - 1e-6 <= blocks.objective_[0] <= found.upper_bound_[0] + 1e-6
    assert 0.0 <= found.upper_bound_[0] - found.objective_[0] <= 0.005
    assert_array_equal(found.components_ != 0.0, blocks.components_ != 0.0)


def test_the_first_order_method_is_its_plain_program(pitprops):
    lower, upper = reference.dspca_first_order(pitprops, 0.2, eps=0.02, n_iter=61)
    found = FirstOrderDSPCA(1, lam=0.2, tol=0.02, max_iter=61, **GIVEN).fit(pitprops)
    assert_allclose([found.objective_[0], found.upper_bound_[0]], [lower, upper], atol=0.01)
    assert lower >= found.objective_[0] - 1e-10
    assert upper <= found.upper_bound_[0] + 1e-10


def test_both_ways_find_the_same_supports(pitprops):
    for k in range(1, 14):
        found, blocks = FirstOrderDSPCA(1, k, **GIVEN).fit(pitprops), DSPCA(1, k, **GIVEN).fit(pitprops)
        assert found.n_nonzero_[0] == k
        assert_allclose(found.components_, blocks.components_, atol=1e-8)


def test_hidden_factors_published(hidden_factors):
    """The SIAM Review paper of 2007, section 6.1: 0.5 on the four features of each factor."""
    dspca = DSPCA(2, 4, **GIVEN).fit(hidden_factors)
    assert_allclose(dspca.components_, np.repeat([[0, 1, 0], [1, 0, 0]], [4, 4, 2], axis=1) / 2, atol=1e-9)


def test_no_penalty_is_pca(X):
    dspca, pca = DSPCA(2, lam=0.0).fit(X), PCA(2).fit(X)
    assert_allclose(dspca.components_, pca.components_, atol=1e-3)
    assert_allclose(dspca.objective_, pca.objective_, rtol=1e-4)
    assert_allclose(DSPCA(2, 99).fit(X).components_, pca.components_, atol=1e-3)


def test_one_feature_is_left(pitprops):
    dspca = DSPCA(1, lam=[2.0], **GIVEN).fit(np.diag([1.0, 3.0, 2.0]))
    assert_array_equal(dspca.components_, [[0.0, 1.0, 0.0]])
    assert_allclose([dspca.objective_[0], dspca.upper_bound_[0]], 1.0)
    assert_array_equal(DSPCA(1, 1, **GIVEN).fit(pitprops).n_nonzero_, [1])


def test_pitprops_all_cardinalities(pitprops):
    for k in range(1, 14):
        dspca = DSPCA(1, k, **GIVEN).fit(pitprops)
        assert dspca.n_nonzero_[0] == k
        lam = dspca.calibrated_params_["lam"][0]
        assert reference_power.best_variance(pitprops, k) <= dspca.upper_bound_[0] + lam * k + 1e-9


def test_value_is_convex_and_falls_with_the_penalty(X):
    S = np.cov(X.T, bias=True)
    S = S / np.diag(S).max()
    lams = np.linspace(0.0, 0.9, 10)
    fits = [DSPCA(1, lam=lam, refit=False, tol=1e-9, max_iter=100, **GIVEN).fit(S) for lam in lams]
    phi = np.array([fit.objective_[0] for fit in fits])
    assert np.all(np.diff(phi) <= 1e-5)
    assert np.diff(phi, 2).min() >= -1e-4
    for lam, fit in zip(lams, fits, strict=True):
        w = fit.components_[0]
        assert w @ S @ w - lam * np.abs(w).sum() ** 2 <= fit.objective_[0] + 1e-4
        assert fit.objective_[0] <= fit.upper_bound_[0] + 1e-9


@pytest.mark.parametrize("lam", [0.05, 0.2, 0.4])
def test_objective_does_not_fall(pitprops, lam):
    fits = [DSPCA(1, lam=lam, tol=0.0, max_iter=m, **GIVEN).fit(pitprops) for m in range(1, 15)]
    assert np.diff([fit.objective_[0] for fit in fits]).min() >= -1e-9


def test_eliminated_features_change_nothing(pitprops):
    S = np.diag(np.append(np.ones(13), [0.1, 0.05]))
    S[:13, :13] = pitprops
    S[:13, 13:] = 0.03
    S[13:, :13] = 0.03
    small, large = DSPCA(1, lam=0.3, **GIVEN).fit(pitprops), DSPCA(1, lam=0.3, **GIVEN).fit(S)
    assert_array_equal(large.components_[0, :13], small.components_[0])
    assert_array_equal(large.components_[0, 13:], 0.0)


def test_invalid_parameters(pitprops):
    with pytest.raises(ValueError, match=r"'lam' parameter .*\[0.*, inf.* Got -0\.1"):
        DSPCA(lam=-0.1).fit(pitprops)
    with pytest.raises(ValueError, match="both given"):
        DSPCA(lam=0.1, n_nonzero=2).fit(pitprops)
