"""LeastSquaresSPCA against regressions and generalised eigenproblems, enumeration, and what its scores have to be."""

import numpy as np
import pytest
import reference_least_squares as reference
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from spcabench_methods import LeastSquaresSPCA

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


def test_dense_limit_of_few_samples_takes_as_many_features_as_span_all():
    X = decaying(3, 6, 30)
    fitted = LeastSquaresSPCA(2, 20, variant="correlated").fit(X)
    assert_array_equal(fitted.n_nonzero_, [5, 5])
    values = np.linalg.svd(X - X.mean(axis=0))[1] ** 2 / 6
    assert_allclose(fitted.objective_, values[:2])


@pytest.mark.parametrize("variant", reference.VARIANTS)
@pytest.mark.parametrize("search", reference.SEARCHES)
@pytest.mark.parametrize("seed", [3, 10])
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


def test_uncorrelated_scores_need_features():
    X = decaying(0, 30, 8)
    with pytest.raises(ValueError, match="n_nonzero of component 3 is 2; valid for uncorrelated scores is 3 or more"):
        LeastSquaresSPCA(3, 2).fit(X)
    assert_array_equal(LeastSquaresSPCA(5).fit(X).n_nonzero_, [3, 3, 3, 4, 5])
    assert_array_equal(LeastSquaresSPCA(3, 2, variant="correlated").fit(X).n_nonzero_, [2, 2, 2])
