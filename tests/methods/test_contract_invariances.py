"""What does not change the loadings that a method finds, and what holds of all loadings."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power as reference
from contract import every, trial
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler
from spcabench_methods import PCA

from spcabench.check.methods import ROW_ORDER, SCALE, SHIFT, SIGN, column_order, column_sign, unchanged

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


@every(lambda c: c.takes_covariance)
@shapes
def test_samples_and_covariance_agree(method, shape):
    X = drawn(shape)
    A = X - X.mean(axis=0)
    fitted = method.new().fit(X)
    given = method.on_covariance(len(X)).fit(A.T @ A / len(A))
    for name in ("components_", "explained_variance_", "cpev_"):
        assert_allclose(getattr(fitted, name), getattr(given, name), atol=1e-8, err_msg=name)
    assert_allclose(fitted.objective_, given.objective_, rtol=1e-6, atol=1e-8)


@every()
@shapes
def test_sign_shift_and_order_of_samples_do_not_matter(method, shape):
    tried = trial(method, drawn, shape)
    script = unchanged(tried, {**SIGN, **SHIFT, **(ROW_ORDER if method.promises("row_order") else {})})
    W = script.names["fitted"].components_
    assert_array_equal(method.new().fit(drawn(shape)).components_, W)
    for signed in (W, script.names["other"].components_):
        assert np.all(signed[np.arange(2), np.abs(signed).argmax(axis=1)] > 0)


@every(lambda c: c.promises("scale"))
@shapes
def test_scale_does_not_matter(method, shape):
    for scale, message in SCALE.items():
        fits = unchanged(trial(method, drawn, shape), {scale: message}).names
        fitted, scaled = fits["fitted"], fits["other"]
        assert_allclose(scaled.explained_variance_ratio_, fitted.explained_variance_ratio_, atol=1e-9)


@every(lambda c: c.promises("column_sign"))
@shapes
def test_signs_of_features_do_not_matter(method, shape):
    column_sign(trial(method, drawn, shape))


@every(lambda c: c.promises("column_order"))
@shapes
def test_order_of_features_does_not_matter(method, shape):
    column_order(trial(method, drawn, shape))


@every(lambda c: c.promises("column_order") and c.promises("order of equal variances"))
@shapes
def test_order_of_features_of_equal_variance_does_not_matter(method, shape):
    X = StandardScaler().fit_transform(drawn(shape))
    order = np.random.default_rng(0).permutation(X.shape[1])
    assert_allclose(method.new().fit(X[:, order]).components_, method.new().fit(X).components_[:, order], atol=1e-6)


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
    X, wanted = drawn(shape), np.array([4, 3, 5])
    fitted = method.new(n_components=3, n_nonzero=wanted).fit(X)
    reached = getattr(fitted, "exact_cardinality_", np.ones(3, dtype=bool))
    assert_array_equal(fitted.n_nonzero_ == wanted, reached)
    assert reached.any()
    assert_array_equal(method.new(n_components=3, n_nonzero=[4, 3, 5]).fit(X).components_, fitted.components_)
    if hasattr(fitted, "calibrated_params_"):
        repeated = method.new(n_components=3, **fitted.calibrated_params_).fit(X)
        assert_array_equal(repeated.components_, fitted.components_)
        assert not hasattr(repeated, "n_fits_")
        assert fitted.n_fits_ >= 3


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
