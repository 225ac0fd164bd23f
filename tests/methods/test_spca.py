"""SPCA against published numbers, a slow reference and its own formula."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
import reference_power
from numpy.testing import assert_allclose, assert_array_equal
from reference_rotation import nonorthogonality
from spcabench_methods import SPCA

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}


def test_pitprops_spca_published(pitprops):
    """Zou, Hastie and Tibshirani (2006), table 3."""
    spca = SPCA(6, l1=[0.06, 0.16, 0.1, 0.5, 0.5, 0.5], **GIVEN).fit(pitprops)
    assert_array_equal(spca.n_nonzero_, [7, 4, 4, 1, 1, 1])
    assert_allclose(100 * spca.explained_variance_ratio_, [28.0, 14.0, 13.3, 7.4, 6.8, 6.2], atol=0.051)
    first = [0.477, 0.476, 0, 0, -0.177, 0, 0.250, 0.344, 0.416, 0.400, 0, 0, 0]
    assert_allclose(spca.components_[0], first, atol=1e-3)
    assert_allclose(spca.components_[1, [2, 3, 7, 11]], [0.785, 0.619, -0.021, 0.013], atol=1e-3)
    assert_allclose(spca.components_[2, [4, 5, 6, 12]], [0.641, 0.589, 0.492, -0.016], atol=1e-3)


def test_hidden_factors_spca_published(hidden_factors):
    """Zou, Hastie and Tibshirani (2006), section 5.2: 40.9 % and 39.5 %."""
    spca = SPCA(2, 4, ridge=0.0, **GIVEN).fit(hidden_factors)
    assert_allclose(spca.components_, np.repeat([[0, 1, 0], [1, 0, 0]], [4, 4, 2], axis=1) / 2, atol=1e-12)
    assert_allclose(100 * spca.explained_variance_ratio_, [40.88, 39.52], atol=0.005)
    assert_allclose(spca.cpev_[-1], 0.80406, atol=1e-5)


def test_pitprops_spca_with_three_nonzeros_published(pitprops):
    """Table 4 of the SPCArt paper, which stopped at a change of 0.01: CPEV 0.7727; soft thresholds differ."""
    card = SPCA(6, 3, tol=0.01, **GIVEN).fit(pitprops)
    assert_allclose(card.cpev_[-1], 0.7727, atol=5e-5)
    assert_allclose(nonorthogonality(card.components_), 0.0088, atol=5e-5)
    soft = SPCA(6, 3, ridge="inf", **GIVEN).fit(pitprops)
    assert_allclose(soft.cpev_[-1], 0.7856, atol=2e-4)
    assert_allclose(nonorthogonality(soft.components_), 0.051, atol=2e-3)
    for spca in (card, soft):
        assert_array_equal(spca.n_nonzero_, [3] * 6)


def test_pitprops_spca_with_the_stop_of_spcart(pitprops):
    """Table 4 of the SPCArt paper: NOR 0.0095 and CPEV 0.7727 where the change of a loading is 0.01 on average."""
    spca = SPCA(6, 3, tol=0.01, stop="mean", **GIVEN).fit(pitprops)
    assert_allclose([nonorthogonality(spca.components_), spca.cpev_[-1]], [0.0095, 0.7727], atol=5e-5)


def test_hidden_factors_spca_with_bounded_coefficients(hidden_factors):
    """Table 3 of the SPCArt paper, SPCA with T-l1 and 2.2: the supports, and CPEV 0.8286 of its sample."""
    spca = SPCA(2, bound=2.2, **GIVEN).fit(hidden_factors)
    expected = np.repeat([[0, 1, 0], [1, 0, 1]], [4, 4, 2], axis=1)
    assert_array_equal(spca.components_ != 0, expected)
    assert_allclose(spca.cpev_[-1], 0.8286, atol=6e-4)


def test_pitprops_spca_with_four_nonzeros(pitprops):
    assert_allclose(SPCA(6, 4, **GIVEN).fit(pitprops).cpev_[-1], 0.784, atol=5e-4)
    soft = SPCA(6, 4, ridge="inf", **GIVEN).fit(pitprops)
    assert_allclose(soft.cpev_[-1], 0.8085, atol=1e-4)
    assert_allclose(soft.explained_variance_ratio_.sum(), 0.683, atol=2e-4)


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
