"""What does not change the loadings that a method finds, and what holds of all loadings.

What is changed together here is a promise each in `spcabench check`, which weekly tests try on every name.
"""

import numpy as np
import pytest
import reference_power as reference
from contract import every
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler
from spcabench_methods import PCA
from spcabench_methods.core.searches import ATTRIBUTES

from spcabench.check.script import alike

pytestmark = [
    pytest.mark.filterwarnings("ignore:components .* did not converge"),
    pytest.mark.filterwarnings("ignore:the requested cardinality was not reached"),
]

SHAPES = {"tall": (60, 12), "wide": (10, 36)}
"""More samples than features, and so few that no matrix of the features is formed."""

shapes = pytest.mark.parametrize("shape", SHAPES)


def drawn(shape):
    X = decaying(0, *SHAPES[shape])
    X.flags.writeable = False
    return X


@every()
@shapes
def test_sign_shift_scale_and_order_of_samples_do_not_matter(method, shape):
    X = drawn(shape)
    fitted = method.new().fit(X)
    rows = X[::-1] if method.promises("row_order") else X
    for scale in (-1000.0 * 2.0**200, -(2.0**-220)) if method.promises("scale") else (-1.0,):
        other = method.new().fit(scale * (rows + 3.0))
        assert alike(other.components_, fitted.components_)
        assert_allclose(other.explained_variance_ratio_, fitted.explained_variance_ratio_, atol=1e-9)
        assert np.all(other.components_[np.arange(2), np.abs(other.components_).argmax(axis=1)] > 0)
    if method.takes_covariance:
        A = X - X.mean(axis=0)
        S = A.T @ A / len(A)
        before = S.copy()
        given = method.on_covariance(len(X)).fit(S)
        assert_array_equal(S, before)
        for name in ("components_", "explained_variance_", "cpev_"):
            assert_allclose(getattr(fitted, name), getattr(given, name), atol=1e-8, err_msg=name)
        assert_allclose(fitted.objective_, given.objective_, rtol=1e-6, atol=1e-8)


@every(lambda c: c.promises("column_order") or c.promises("column_sign"))
@shapes
def test_signs_and_order_of_features_do_not_matter(method, shape):
    """Not even of features of equal variance, but for methods that promise less."""
    X, random = drawn(shape), np.random.default_rng(0)
    if method.promises("order of equal variances"):
        X = StandardScaler().fit_transform(X)
    order, signs = random.permutation(X.shape[1]), random.choice([-1.0, 1.0], X.shape[1])
    order = order if method.promises("column_order") else np.arange(X.shape[1])
    signs = signs if method.promises("column_sign") else np.ones(X.shape[1])
    W, V = (method.new().fit(data).components_ for data in (X, (signs * X)[:, order]))
    assert alike(V, (signs * W)[:, order], atol=1e-6)


@every()
@shapes
def test_lengths_and_variances(method, shape):
    X = drawn(shape)
    fitted = method.new(n_components=3).fit(X)
    W = fitted.components_
    assert W[0].any()
    assert_allclose(np.linalg.norm(W, axis=1), W.any(axis=1), atol=1e-12)
    assert_array_equal(fitted.n_nonzero_, np.count_nonzero(W, axis=1))
    assert_allclose(fitted.explained_variance_, reference.adjusted_variances(X, W), atol=1e-9)
    assert_allclose(fitted.cpev_, reference.cpev(X, W), atol=1e-9)
    assert fitted.explained_variance_ratio_.sum() <= fitted.cpev_[-1] + 1e-10
    assert fitted.cpev_[-1] <= PCA(3).fit(X).cpev_[-1] + 1e-10


@every(lambda c: c.counts_each and c.promises("cardinalities"))
@shapes
def test_cardinalities_of_each_component(method, shape):
    X = drawn(shape)
    fitted = method.new(n_components=3, n_nonzero=[4, 3, 5]).fit(X)
    reached = getattr(fitted, "exact_cardinality_", np.ones(3, dtype=bool))
    assert_array_equal(fitted.n_nonzero_ == [4, 3, 5], reached)
    assert reached.any()
    if hasattr(fitted, "calibrated_params_"):
        W, counts, n_fits = fitted.components_, fitted.n_iter_per_component_, fitted.n_fits_
        fitted.set_params(**fitted.calibrated_params_).fit(X)
        assert_array_equal(fitted.components_, W)
        assert_array_equal(fitted.n_iter_per_component_, counts)
        assert not any(hasattr(fitted, name) for name in ATTRIBUTES)
        assert n_fits >= 3


@every(lambda c: c.counts)
def test_one_nonzero(method):
    assert_array_equal(method.new(n_components=1, n_nonzero=1).fit(drawn("tall")).n_nonzero_, [1])


@every(lambda c: "refit" in c.estimator.get_params())
def test_refit_explains_no_less_on_the_same_support(method):
    plain, refit = (method.new(n_components=1, refit=refit).fit(drawn("tall")) for refit in (False, True))
    assert_array_equal(plain.components_ != 0, refit.components_ != 0)
    assert refit.explained_variance_[0] >= plain.explained_variance_[0] - 1e-12


@every(lambda c: c.spec is not None and c.takes_covariance and c.promises("pca"))
@shapes
def test_dense_limit_is_pca(method, shape):
    X = drawn(shape)
    precise = method.known(tol=1e-12, max_iter=5000)
    assert_allclose(method.dense(X.shape[1], **precise).fit(X).components_, PCA(2).fit(X).components_, atol=1e-4)
