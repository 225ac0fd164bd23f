"""SPCA against a slow reference and its own formula."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
import reference_power
from numpy.testing import assert_allclose
from spcabench_methods import SPCA

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}


@pytest.mark.parametrize("n_iter", [1, 4])
def test_spca_reference(X, n_iter):
    scale = X.var(axis=0).max()
    options = {"tol": 0.0, "max_iter": n_iter}
    fitted = SPCA(3, l1=0.3 * scale, ridge=0.05 * scale, **options).fit(X)
    expected = reference.spca(X, lambda C, g: reference.elastic_net(C, g, 0.05 * scale, 0.3 * scale), 3, n_iter)
    assert_allclose(fitted.components_, expected, atol=1e-9)
    fitted = SPCA(3, 4, ridge="inf", **options).fit(X)
    assert_allclose(
        fitted.components_, reference.spca(X, lambda C, g: reference.soft_of_cardinality(g, 4), 3, n_iter), atol=1e-9
    )


def test_spca_with_too_large_a_penalty():
    X = np.random.default_rng(0).standard_normal((30, 6))
    with pytest.warns(UserWarning, match="components 2 are zero"):
        spca = SPCA(2, l1=[0.1, 100.0]).fit(X)
    assert spca.n_nonzero_[0] > 0
    assert np.isfinite(spca.components_).all()


def test_spca_objective_is_what_the_docstring_says(X):
    ridge, l1, n = 0.1, 0.2, len(X)
    spca = SPCA(2, l1=l1, ridge=ridge, tol=1e-13, max_iter=5000).fit(X)
    A = reference_power.centred(X) * np.sqrt(n)
    S = A.T @ A / n
    B = spca.components_.T * 1.0
    for _ in range(30):
        U, _, Vt = np.linalg.svd(S @ B, full_matrices=False)
        B = np.array([reference.elastic_net(S, S @ a, ridge, l1) for a in (U @ Vt).T]).T
    U, _, Vt = np.linalg.svd(S @ B, full_matrices=False)
    whole = np.linalg.norm(A - A @ B @ (U @ Vt).T) ** 2 / n + ridge * (B**2).sum() + l1 * np.abs(B).sum()
    assert_allclose(spca.objective_.sum() + np.trace(S), whole, atol=1e-6)


def test_the_default_ridge_goes_with_the_units_of_the_data():
    X = np.random.default_rng(0).standard_normal((60, 30))
    fitted, scaled = (SPCA(2, 4).fit(scale * X).components_ for scale in (1.0, 1e-3))
    assert_allclose(scaled, fitted, atol=1e-9)
    fitted, scaled = (SPCA(2, 4, ridge=1e-6).fit(scale * X).components_ for scale in (1.0, 1e-3))
    assert np.abs(scaled - fitted).max() > 0.05
