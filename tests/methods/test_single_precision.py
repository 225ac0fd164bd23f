"""Large samples of single precision: the loadings of their double copy, within a bound, and no double copy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from peak_memory import memory
from sklearn.base import clone
from spcabench_methods import PCA, GPower, PathSPCA, SPCArt, TPower
from spcabench_methods.core import single
from spcabench_methods.core.moments import Gram, data, data_of
from spcabench_methods.core.samples import column_means
from spcabench_methods.core.single import ROUNDING

SHAPES = {"tall": (4000, 300), "wide": (300, 4000)}


@pytest.fixture
def stays_single(monkeypatch):
    monkeypatch.setattr(single, "LARGE", 0)


def separated(n, d):
    """Draw samples of single precision with two strong groups of features and a constant feature, far from zero."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d), dtype=np.float32) + np.float32(50.0)
    for start, strength in ((0, 6.0), (5, 4.0)):
        X[:, start : start + 5] += (strength * rng.standard_normal((n, 1)) * [1.0, 0.95, 0.9, 0.85, 0.8]).astype("f4")
    X[:, 11] = 0.1
    return X


@st.composite
def loaded_samples(draw):
    """Draw samples of single precision, of many scales and means, and a unit loading."""
    n, d = draw(st.sampled_from([(2, 3), (40, 7), (3000, 12), (5, 2000)]))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    scales = 10.0 ** (draw(st.floats(-8, 8)) + draw(st.floats(0, 2)) * rng.standard_normal(d))
    noise = rng.standard_t(3, (n, d)) if draw(st.booleans()) else rng.standard_normal((n, d))
    X = scales * (noise + 10.0 ** draw(st.floats(-3, 5)) * rng.standard_normal(d))
    support = rng.choice(d, min(d, draw(st.integers(1, 10))), replace=False)
    w = np.zeros(d)
    w[support] = rng.standard_normal(len(support))
    return X.astype(np.float32), w / np.linalg.norm(w)


@settings(max_examples=40, deadline=None)
@given(loaded_samples())
def test_variances_are_off_by_no_more_than_the_bound(drawn):
    X, w = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(single, "LARGE", 0)
        mean = column_means(X)
        forms = [data_of(X, mean), *([Gram.of(X, mean)] if len(X) > len(w) else [])]
    C = X - X.mean(axis=0, dtype=np.longdouble)
    bound = ROUNDING * np.sum(np.mean(C[:, w != 0] ** 2, axis=0))
    for moments in forms:
        assert abs(moments.quadratic(w) - np.mean((C @ w) ** 2)) <= bound
        assert abs(moments.scores_covariance(w[:, None])[0, 0] - np.mean((C @ w) ** 2)) <= bound


FEW = [TPower(2, 5), PCA(2), SPCArt(2), PathSPCA(2, 5)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("method", FEW, ids=repr)
def test_no_double_copy_is_made_and_the_supports_and_variances_are_those_of_one(method, shape, monkeypatch):
    X = separated(*SHAPES[shape])
    monkeypatch.setattr(data, "BLOCK", 2**17)
    found, wanted = clone(method).fit(X), clone(method).fit(X.astype(np.float64))
    assert found.components_.dtype == np.float32
    assert_array_equal(found.components_ != 0, wanted.components_ != 0)
    assert_allclose(found.components_, wanted.components_, atol=1e-4)
    total = X.var(axis=0, dtype=np.float64).sum()
    assert_allclose(found.explained_variance_, wanted.explained_variance_, atol=ROUNDING * total)
    assert memory(lambda: clone(method).fit(X))[1] < 1.9 * X.nbytes, "a centred copy takes 1, in double precision 2"


@pytest.mark.parametrize("times", [1e4, 1e6])
@pytest.mark.parametrize("form", [data_of, Gram.of], ids=["samples", "matrix"])
def test_means_far_from_zero_take_no_digits(form, times, stays_single):
    X = separated(3000, 20).astype(np.float64)
    X = (X + times * X.std(axis=0)).astype(np.float32)
    moments = form(X, column_means(X))
    assert moments.rounding == ROUNDING
    assert_allclose(moments.diagonal, X.var(axis=0, dtype=np.longdouble), rtol=ROUNDING)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(wrong, stays_single):
    X = separated(60, 20)
    X[7, 3] = wrong
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        TPower(2, 5).fit(X)


@pytest.mark.parametrize("method", [TPower(2, 5, tol=1e-14), GPower(2, 5, tol=1e-14)], ids=repr)
@pytest.mark.parametrize("shape", [(150, 30), (40, 90)], ids=["tall", "wide"])
def test_iterations_settle_below_the_rounding(method, shape, stays_single):
    assert clone(method).fit(separated(*shape)).converged_.all()


@pytest.mark.parametrize("scale", [1e-25, 1e25])
def test_squares_beyond_single_precision_are_those_of_double(scale, stays_single):
    X = separated(60, 20) * np.float32(scale)
    for shape in (X, X.T.copy()):
        found, wanted = TPower(1, 5).fit(shape), TPower(1, 5).fit(shape.astype(float))
        assert_array_equal(found.components_, wanted.components_.astype(np.float32))


def test_what_is_left_after_the_rank_is_zero(stays_single):
    rng = np.random.default_rng(0)
    for n, d in ((60, 20), (20, 60)):
        X = (rng.standard_normal((n, 2)) @ rng.standard_normal((2, d))).astype(np.float32)
        with pytest.warns(UserWarning, match="components 3 are zero"):
            assert not PCA(3).fit(X).components_[2].any()
        with pytest.warns(UserWarning, match="components 3 are zero"):
            assert not TPower(3, d).fit(X).components_[2].any()
