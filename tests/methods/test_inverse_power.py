"""The inverse power method against a slow reference, identities and its search."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power as reference
from numpy.testing import assert_allclose
from spcabench_methods import PCA, GPower, InversePower

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 500}


@pytest.mark.parametrize("gamma", [0.05, 0.3])
def test_reference(X, gamma):
    found = InversePower(3, gamma=gamma, **EXACT).fit(X).components_
    assert_allclose(found, reference.inverse_power(X, gamma, 3), atol=1e-9)


def test_no_weight_of_the_l1_norm_is_pca(X):
    found = InversePower(1, gamma=0.0, refit=False, **EXACT).fit(X)
    pca = PCA(1).fit(X)
    assert_allclose(found.components_, pca.components_, atol=1e-8)
    assert_allclose(found.objective_**2, pca.explained_variance_, rtol=1e-12)


def test_the_objective_is_the_inverse_ratio_and_never_falls(tall):
    A = reference.centred(tall)
    start = np.random.default_rng(0).standard_normal(tall.shape[1])
    method = {"gamma": 0.2, "init": start, "refit": False, "tol": 0.0}
    path = [InversePower(1, max_iter=m, **method).fit(tall).objective_[0] for m in range(1, 15)]
    assert np.all(np.diff(path) >= -1e-14)
    assert path[-1] > 1.01 * path[0]
    found = InversePower(1, **{**method, **EXACT}).fit(tall)
    assert_allclose(found.objective_[0], 1.0 / reference.ratio(A, found.components_[0], 0.2))


def test_a_fixed_point_is_one_of_gpower(tall):
    found = InversePower(1, gamma=0.2, refit=False, **EXACT).fit(tall)
    threshold = 0.2 * found.objective_[0]
    rho = threshold / tall.std(axis=0).max()
    stayed = GPower(1, rho=rho, init=found.components_, refit=False, **EXACT).fit(tall)
    assert_allclose(stayed.components_, found.components_, atol=1e-8)
