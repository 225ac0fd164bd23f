"""DSPCA against the first-order method, and its limits."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import DSPCA, PCA, FirstOrderDSPCA

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}
SEVEN = [1, 2, 6, 7, 8, 9, 10]
ELEVEN = [1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 13]


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
