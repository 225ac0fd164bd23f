"""LeastSquaresSPCA against regressions and generalised eigenproblems, enumeration, and what its scores have to be."""

from __future__ import annotations

import numpy as np
import pytest
import reference_least_squares as reference
from drawn import decaying
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import PCA, LeastSquaresSPCA

METHODS = [
    LeastSquaresSPCA(3, 4, variant=variant, search=search)
    for variant in reference.VARIANTS
    for search in reference.SEARCHES
]
every = pytest.mark.parametrize("method", METHODS, ids=repr)
TALL = [(0, 60, 9), (1, 200, 8)]


def centred(seed, n, d):
    X = decaying(seed, n, d)
    return X - X.mean(axis=0)


def supports(W):
    return [set(np.flatnonzero(w)) for w in W]


@every
@pytest.mark.parametrize("shape", TALL)
def test_reference(method, shape):
    X = centred(*shape)
    fitted = clone(method).fit(X)
    for j, w in enumerate(fitted.components_):
        T = X @ fitted.components_[:j].T
        support = reference.SEARCHES[method.search](X, T, 4)
        assert set(np.flatnonzero(w)) == support
        expected = reference.VARIANTS[method.variant](X, T, sorted(support))
        assert_allclose(np.abs(w @ expected), 1.0, atol=1e-9)
        assert_allclose(fitted.objective_[j], reference.explained(X, T, w), rtol=1e-9)


@every
def test_no_support_explains_more_than_the_best(method):
    X = centred(2, 40, 7)
    fitted = clone(method).set_params(n_nonzero=3).fit(X)
    for j in range(3):
        best = reference.best(X, X @ fitted.components_[:j].T, 3, method.variant)
        assert fitted.objective_[j] <= best * (1 + 1e-10)
        assert method.variant == "projection" or fitted.objective_[j] >= 0.8 * best


@pytest.mark.parametrize("seed", range(5))
def test_one_feature_is_the_best_one(seed):
    X = centred(seed, 30, 8)
    found = LeastSquaresSPCA(1, 1, search="variance").fit(X).objective_[0]
    assert_allclose(found, reference.best(X, np.empty((30, 0)), 1, "correlated"))


def test_uncorrelated_scores_explain_together_what_they_explain_one_by_one(X):
    fitted = LeastSquaresSPCA(3, 4).fit(X)
    A = X - X.mean(axis=0)
    T = A @ fitted.components_.T
    C = T.T @ T
    assert_allclose(C, np.diag(np.diag(C)), atol=1e-9 * C.max())
    left = np.sum(reference.residual(A, T) ** 2) / len(A)
    assert_allclose(fitted.objective_.sum(), np.sum(A**2) / len(A) - left)


@pytest.mark.parametrize("method", [m for m in METHODS if m.variant != "uncorrelated"], ids=repr)
def test_correlated_scores_explain_no_less(X, method):
    fitted = clone(method).fit(X)
    A = X - X.mean(axis=0)
    together = np.sum(A**2) - np.sum(reference.residual(A, A @ fitted.components_.T) ** 2)
    assert together / len(A) >= fitted.objective_.sum() * (1 - 1e-10)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(1, 9))
def test_order_of_the_variants_on_one_support(seed, d, k):
    X = centred(seed, 20, d)
    k = min(k, d)
    found = {v: LeastSquaresSPCA(1, k, variant=v).fit(X) for v in reference.VARIANTS}
    supported = [supports(f.components_) for f in found.values()]
    assert supported[0] == supported[1] == supported[2]
    correlated, projection = found["correlated"].objective_[0], found["projection"].objective_[0]
    assert_allclose(found["uncorrelated"].objective_[0], correlated)
    values = np.linalg.eigvalsh(X.T @ X / 20)
    leading = np.linalg.svd(X, full_matrices=False)[0][:, :1]
    predicted = 1.0 - np.sum(reference.residual(leading, X[:, sorted(supported[0][0])]) ** 2)
    assert predicted * values[-1] * (1 - 1e-9) <= projection <= correlated * (1 + 1e-9)
    assert correlated <= values[-1] * (1 + 1e-9)


@pytest.mark.parametrize("k", range(1, 13))
def test_pitprops_explains_more_than_the_score_of_largest_variance(pitprops, k):
    w = LeastSquaresSPCA(1, k, covariance="precomputed").fit(pitprops).components_[0]
    support = np.flatnonzero(w)
    v = np.zeros(13)
    v[support] = np.linalg.eigh(pitprops[np.ix_(support, support)])[1][:, -1]
    explained = [np.sum((pitprops @ a) ** 2) / (a @ pitprops @ a) for a in (v, w)]
    assert explained[0] <= explained[1] * (1 + 1e-12)
    assert w @ pitprops @ w <= v @ pitprops @ v * (1 + 1e-12)


def test_dense_limit_of_few_samples_takes_as_many_features_as_span_all():
    X = decaying(3, 6, 30)
    fitted = LeastSquaresSPCA(2, 20, variant="correlated").fit(X)
    assert_array_equal(fitted.n_nonzero_, [5, 5])
    values = np.linalg.svd(X - X.mean(axis=0))[1] ** 2 / 6
    assert_allclose(fitted.objective_, values[:2])


@pytest.mark.parametrize("variant", reference.VARIANTS)
@pytest.mark.parametrize("search", reference.SEARCHES)
@pytest.mark.parametrize("seed", [3, *range(10, 15)])
def test_where_one_feature_spans_what_is_left_the_first_is_taken(seed, variant, search):
    """All candidates tie: with any of them all samples are spanned, but for what rounding makes of it."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((6, 5)) @ rng.standard_normal((5, 200)) + 0.3 * rng.standard_normal((6, 200))
    method = LeastSquaresSPCA(2, 5, variant=variant, search=search)
    four = supports(clone(method).set_params(n_nonzero=4).fit(X).components_)
    found = clone(method).fit(X)
    first = supports(found.components_)[0]
    assert first == four[0] | {min(set(range(200)) - four[0])}
    A = X - X.mean(axis=0)
    given_S = clone(method).set_params(covariance="precomputed").fit(A.T @ A / 6)
    assert_allclose(found.components_, given_S.components_, atol=1e-8)


def test_hidden_factors(hidden_factors):
    fitted = LeastSquaresSPCA(2, 4, variant="correlated", covariance="precomputed").fit(hidden_factors)
    assert_allclose(
        fitted.objective_.sum() / np.trace(hidden_factors),
        PCA(2, covariance="precomputed").fit(hidden_factors).cpev_[-1],
        atol=2e-3,
    )


def test_uncorrelated_scores_need_features():
    X = decaying(0, 30, 8)
    with pytest.raises(ValueError, match="n_nonzero of component 3 is 2; valid for uncorrelated scores is 3 or more"):
        LeastSquaresSPCA(3, 2).fit(X)
    assert_array_equal(LeastSquaresSPCA(5).fit(X).n_nonzero_, [3, 3, 3, 4, 5])
    assert_array_equal(LeastSquaresSPCA(3, 2, variant="correlated").fit(X).n_nonzero_, [2, 2, 2])


@every
def test_past_the_rank_loadings_are_zero(method):
    x = np.random.default_rng(0).standard_normal((20, 1))
    with pytest.warns(ConvergenceWarning, match="components 2, 3 are zero"):
        fitted = clone(method).fit(x @ np.array([[3.0, 2.0, 1.0, 0.5, 0.1]]))
    assert_array_equal(fitted.n_nonzero_, [1, 0, 0])


@every
@pytest.mark.parametrize("scale", [1e-11, 1e70])
def test_the_scale_of_the_samples_changes_the_objective_alone(method, scale):
    X = centred(0, 60, 9)
    fitted, scaled = clone(method).fit(X), clone(method).fit(scale * X)
    assert_allclose(scaled.components_, fitted.components_, atol=1e-8)
    assert_allclose(scaled.objective_ / scale**2, fitted.objective_)
