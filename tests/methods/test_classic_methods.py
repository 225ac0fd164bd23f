"""Principal component analysis and simple thresholding against identities."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import PCA, SimpleThresholding


def test_pca_is_the_singular_value_decomposition(X):
    r = 4
    pca = PCA(n_components=r).fit(X)
    expected = [reference.with_sign(v) for v in np.linalg.svd(reference.centred(X))[2][:r]]
    assert_allclose(pca.components_, expected, atol=1e-10)


def test_thresholding_is_truncated_pca(X):
    pca = PCA(n_components=3).fit(X).components_
    direct = SimpleThresholding(n_components=3, n_nonzero=[2, 5, 3]).fit(X).components_
    for w, v, k in zip(direct, pca, [2, 5, 3], strict=True):
        expected = reference.largest(v, k)
        assert_allclose(w, expected / np.linalg.norm(expected), atol=1e-10)
    default = SimpleThresholding(n_components=3).fit(X).components_
    assert_array_equal(default != 0, np.abs(pca) > X.shape[1] ** -0.5)


def test_refit_never_explains_less(X):
    plain = SimpleThresholding(n_components=3, n_nonzero=4).fit(X)
    refit = SimpleThresholding(n_components=3, n_nonzero=4, refit=True).fit(X)
    assert_array_equal(refit.components_ != 0, plain.components_ != 0)
    assert np.all(refit.objective_ >= plain.objective_ - 1e-12)


def test_thresholding_that_leaves_nothing(X):
    with pytest.warns(UserWarning, match="components 1, 2 are zero"):
        st = SimpleThresholding(threshold=1.0).fit(X)
    assert not st.components_.any()


def test_many_features_take_the_iterative_solver():
    X = np.random.default_rng(0).standard_normal((900, 450)) * np.arange(1, 451) ** -0.3
    S = np.cov(X.T, bias=True)
    assert_allclose(PCA(3).fit(X).objective_, np.linalg.eigvalsh(S)[::-1][:3], rtol=1e-11)
