"""ROSPCA: its robust estimates against slow references, and what outliers do to it."""

import numpy as np
import pytest
import reference_robust as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import ROSPCA, TPower
from spcabench_methods.robust.rospca import scale
from spcabench_methods.robust.univariate import mcd, outlyingness, qn


def blocks(seed, n_outliers):
    """Draw two blocks of four features, and outliers far away along others."""
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((100, 2)) * [10.0, 4.0]
    X = np.hstack([np.repeat(factors, 4, axis=1), np.zeros((100, 2))]) + 1.5 * rng.standard_normal((100, 10))
    X[:n_outliers] = 25.0 * np.array([0, -4, 4, 2, 0, 4, -4, 2, 3, -3]) + 4.0 * rng.standard_normal((n_outliers, 10))
    return X


@pytest.mark.parametrize(("n", "h"), [(30, 24), (31, 17), (12, 12)])
def test_reference_of_the_univariate_estimates(n, h):
    Y = np.random.default_rng(0).standard_normal((n, 5)) * 3.0 + 100.0
    Y[:4] += 50.0
    found = np.array(mcd(Y, h))
    assert_allclose(found.T, [reference.univariate_mcd(y, h) for y in Y.T])


def test_reference_of_the_outlyingness(monkeypatch):
    T = np.random.default_rng(0).standard_normal((20, 3))
    T[0] += 10.0
    expected = reference.outlyingness(T, 16)
    for at_once in (2**21, 100):
        monkeypatch.setattr("spcabench_methods.robust.univariate.AT_ONCE", at_once)
        assert_allclose(outlyingness(T, 16, 1000, np.random.default_rng(0)), expected)
    assert expected.argmax() == 0


def test_qn_of_few_normal_numbers_is_not_too_large():
    for n in (5, 8, 21, 40):
        draws = np.random.default_rng(0).standard_normal((3000, n))
        assert_allclose(np.mean([qn(x) for x in draws]), 1.0, atol=0.03)


def test_outliers_change_neither_supports_nor_centre():
    X = blocks(0, 20)
    robust = ROSPCA(2, 4).fit(X)
    assert_array_equal(robust.components_ != 0, np.repeat(np.eye(2, 3, dtype=bool), 4, axis=1)[:, :10])
    assert robust.outliers_[:20].all()
    assert robust.outliers_[20:].mean() < 0.2
    assert np.abs(robust.mean_).max() < 3.0
    plain = TPower(2, 4).fit(X)
    assert (plain.components_[0, :4] == 0).any()


def test_a_feature_that_hardly_varies_has_its_standard_deviation():
    X = np.random.default_rng(0).standard_normal((30, 4))
    X[4:, 2] = 1.0
    X[:4, 2] = [3.0, 5.0, 2.0, 0.0]
    assert qn(X[:, 2]) == 0.0
    assert_allclose(scale(X[:, 2]), X[:, 2].std())
    assert np.isfinite(ROSPCA(2, 2).fit(X).components_).all()


def test_a_block_is_found_among_many_features_of_equal_scale():
    """The feature of largest variance, where the truncated power method would start, is any of them."""
    rng = np.random.default_rng(0)
    v = np.where(np.arange(100) < 10, 10**-0.5, 0.0)
    X = rng.standard_normal((200, 100)) + 2.0 * rng.standard_normal((200, 1)) * v
    assert_array_equal(
        np.flatnonzero(ROSPCA(1, 10, n_directions=500, random_state=0).fit(X).components_[0]), np.arange(10)
    )


def test_the_grid_may_miss_a_cardinality_and_says_so():
    with pytest.warns(UserWarning, match="the requested cardinality was not reached"):
        robust = ROSPCA(2, [4, 3], inner="grid").fit(blocks(0, 20))
    assert not robust.components_[0, 4:].any()
    assert_array_equal(robust.exact_cardinality_, robust.n_nonzero_ == [4, 3])
