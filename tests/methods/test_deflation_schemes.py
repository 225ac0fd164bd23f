"""The deflation schemes against explicit matrices, and every method that offers them against itself."""

import numpy as np
import pytest
import reference_deflation as reference
from contract import every
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods.core.base import Component
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.moments import Data, Gram

TIGHT = {"tol": 1e-13, "max_iter": 100_000}
LOOSE = {"BlockDiagonal", "DCPCA", "DSPCA", "ExactSPCA", "FPS", "FirstOrderDSPCA", "GradientFPS"}
"""Their tolerance is of what they prove, or their search would take minutes."""

schemes = pytest.mark.parametrize("scheme", reference.SCHEMES)


def sparse_loadings(d, r, k, seed=0):
    rng = np.random.default_rng(seed)
    W = np.zeros((r, d))
    for w in W:
        w[rng.permutation(d)[:k]] = rng.standard_normal(k)
    return W / np.linalg.norm(W, axis=1, keepdims=True)


def left_by(scheme, moments, loadings):
    """Deflate by given loadings, and give what the component after them would be sought in."""
    seen = []

    def find(rest, j):
        seen.append(rest.copy())
        return Component(loadings[j] if j < len(loadings) else np.zeros(rest.n_features), 0.0)

    list(by_deflation(moments, find, len(loadings) + 1, scheme))
    return seen[-1]


@schemes
@pytest.mark.parametrize("form", ["gram", "data"])
def test_both_forms_are_the_explicit_matrix(scheme, form):
    X = decaying(0, 25, 9)
    X -= X.mean(axis=0)
    S = X.T @ X / len(X)
    moments = Gram(S.copy()) if form == "gram" else Data(X.copy())
    loadings = sparse_loadings(9, 3, 3)
    rest = left_by(scheme, moments, loadings)
    expected = reference.SCHEMES[scheme](S, loadings)
    assert_allclose(rest.columns(np.arange(9)), expected, atol=1e-13)
    assert_allclose(rest.diagonal, np.diag(expected), atol=1e-13)
    assert_allclose(rest.matvec(np.arange(9.0)), expected @ np.arange(9.0), atol=1e-12)
    assert_allclose(rest.scores_covariance(np.eye(9)[:, 2:5]), expected[2:5, 2:5], atol=1e-13)
    assert_allclose(rest.restricted(np.array([1, 4])).columns(np.array([0])), expected[[1, 4]][:, [1]], atol=1e-13)
    assert_allclose(rest.principal(2)[0], np.linalg.eigvalsh(expected)[::-1][:2], atol=1e-13)
    assert np.linalg.eigvalsh(expected)[0] >= -1e-13
    assert_allclose(moments.columns(np.arange(9)), S, atol=1e-15)


@every(lambda c: c.takes_covariance and "deflation" in c.estimator.get_params())
@pytest.mark.parametrize(
    "scheme", ["schur", *(pytest.param(s, marks=pytest.mark.weekly) for s in ("projection", "gsd"))]
)
def test_components_are_first_components_of_deflated_matrices(method, scheme):
    S = np.cov(decaying(1, 40, 11).T, bias=True)
    exact = {} if method.kind in LOOSE else method.known(**TIGHT)
    params = {"deflation": scheme, "covariance": "precomputed", **method.known(n_samples=40), **exact}
    W = method.new(n_components=3, **params).fit(S).components_
    for j in range(1, 3):
        alone = method.new(n_components=1, **params).fit(reference.SCHEMES[scheme](S, W[:j]))
        assert_allclose(W[j], alone.components_[0], atol=1e-6, err_msg=f"component {j}")


@schemes
def test_a_loading_twice_or_one_without_variance_removes_nothing(scheme):
    S = np.cov(decaying(3, 30, 6).T)
    w = sparse_loadings(6, 1, 3)[0]
    once, twice = (left_by(scheme, Gram(S), [w] * times) for times in (1, 2))
    assert_allclose(twice.S, once.S, atol=1e-14)
    S = np.diag([2.0, 0.0, 1.0])
    assert_array_equal(left_by(scheme, Gram(S), [np.array([0.0, 1.0, 0.0])]).S, S)
