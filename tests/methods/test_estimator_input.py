"""What estimators make of awkward parameters, scales and data, and how scikit-learn selects among them."""

import numpy as np
import pytest
import spcabench_methods as library
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_array
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV


@pytest.mark.parametrize(
    "method",
    [
        *(kind(1) for kind in (library.SPCArt, library.RSVDGP, library.RSVDGPB, library.SimpleThresholding)),
        library.SPCArt(1, truncation="l1"),
        library.RSVDGP(1, truncation="en"),
    ],
    ids=repr,
)
def test_a_single_feature_is_not_truncated_by_default(method, samples):
    assert_array_equal(clone(method).fit(samples[:, :1]).components_, [[1.0]])


@pytest.mark.parametrize(
    "method",
    [
        library.SPCArt(2, tol=1e200),
        library.ITSPCA(2, tol=1e308),
        library.GPowerBlock(2, mu=10**40),
        library.ALSPCA(2, max_correlation=10**40),
        library.GPower(2, 3, penalty=np.str_("l0"), refit=np.True_),
        library.TPower(np.int8(2), np.array([2, 3], dtype=np.int8)),
    ],
    ids=repr,
)
def test_valid_numbers_of_any_size_and_type(method, samples):
    assert np.isfinite(clone(method).fit(samples).components_).all()


@pytest.mark.parametrize(("n", "d", "doubled", "scale"), [(100, 10, 10, 1e5), (10, 50, 0, 1e6)])
def test_regression_without_penalty_on_dependent_features(n, d, doubled, scale):
    X = np.random.default_rng(0).standard_normal((n, d)) * scale
    X = np.hstack([X, X[:, :doubled]])
    fitted = library.SPCA(2, l1=0.0, ridge=1e-6).fit(X)
    assert_allclose(np.abs(np.sum(fitted.components_ * library.PCA(2).fit(X).components_, axis=1)), 1.0, atol=1e-6)


@pytest.mark.parametrize("form", [np.asarray, csc_array])
def test_score_is_the_share_of_variance(samples, form):
    samples[np.abs(samples) < 1.0] = 0.0
    fitted = library.TPower(3, 3).fit(samples)
    assert_allclose(fitted.score(form(samples)), fitted.cpev_[-1])
    new = samples[:10] + 1.0
    Z = new - fitted.mean_
    Q = np.linalg.qr(fitted.components_.T)[0]
    assert_allclose(fitted.score(form(new)), np.sum((Z @ Q) ** 2) / np.sum(Z**2))
    far = library.TPower(2, 3).fit(samples + 1e8)
    assert_allclose(far.transform(form(samples + 1e8)), far.transform(samples + 1e8), atol=1e-12)


def test_scikit_learn_selects_without_a_scorer(samples):
    search = GridSearchCV(library.RSPCA(random_state=0), {"n_components": [1, 3]}, cv=3).fit(samples)
    assert search.best_params_ == {"n_components": 3}


def test_nonzeros_are_the_root_of_the_features_rounded_up(samples):
    assert_array_equal(library.TPower().fit(samples).n_nonzero_, [3, 3])
    assert_array_equal(library.TPower().fit(samples[:, :4]).n_nonzero_, [2, 2])
