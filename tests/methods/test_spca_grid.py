"""SPCAGrid, its scales and its centre: plain loops, PCA, the published toy, and awkward data."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import reference_grid as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import PCA, RSPCA, SPCAGrid
from spcabench_methods.robust.scales import SCALES, mad_near, scale_of, spatial_median

every_scale = pytest.mark.parametrize("scale", ["sd", "mad", "qn"])


def samples(seed, n=25, d=4):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) + rng.standard_normal(d)


@every_scale
@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-100, 100).map(lambda x: round(x, 1)), min_size=2, max_size=40))
def test_scales_are_their_definitions(scale, values):
    z = np.array(values)
    assert scale_of(z, SCALES[scale]) == pytest.approx(reference.SCALES[scale](z), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 9, 40])
def test_the_median_deviation_is_found_whatever_the_numbers_before(n):
    rng = np.random.default_rng(n)
    last, room = np.array([0.0, np.inf]), np.empty((2, n))
    for shift, size in ((0.0, 1.0), (0.1, 1.1), (5.0, 1.0), (-5.0, 30.0), (0.0, 0.0), (0.0, 1e-3)):
        z = shift + size * rng.standard_normal(n).round(1)
        assert_allclose(mad_near(z, last, *room), reference.mad(z), rtol=1e-12)


def test_qn_of_many():
    z = np.random.default_rng(0).standard_cauchy(1500)
    assert scale_of(z, SCALES["qn"]) == pytest.approx(reference.qn(z), rel=1e-12)
    normal = np.random.default_rng(1).standard_normal(100_000)
    for scale in SCALES.values():
        assert scale_of(2.5 * normal, scale) == pytest.approx(2.5, rel=0.01)


@every_scale
def test_agrees_with_the_plain_loop(scale):
    for seed, lams in enumerate([[0.0] * 4, [0.1] * 4, [0.5, 0.2, 0.1, 0.0], [3.0] * 4]):
        X = samples(seed)
        fitted = SPCAGrid(4, scale=scale, lam=lams, n_halvings=6).fit(X)
        W, scales = reference.spca_grid(X - fitted.mean_, 4, lams, scale, n_halvings=6)
        assert_allclose(np.abs(fitted.components_), np.abs(W), atol=1e-8)
        assert_allclose(fitted.scales_, scales, rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 5])
@pytest.mark.parametrize(("n_halvings", "error"), [(10, 1.5e-4), (14, 2e-5)])
def test_sd_without_penalty_is_pca(d, n_halvings, error):
    rng = np.random.default_rng(d)
    X = rng.standard_normal((100, d)) * np.arange(1, d + 1) @ np.linalg.qr(rng.standard_normal((d, d)))[0]
    W = SPCAGrid(d, scale="sd", lam=0.0, n_halvings=n_halvings).fit(X).components_
    V = PCA(d).fit(X).components_
    sines = np.linalg.norm(V - np.einsum("ij,ij->i", V, W)[:, None] * W, axis=1)
    assert np.all(sines <= error)


@every_scale
@pytest.mark.parametrize("lam", [0.0, 0.3, 2.0])
def test_orthonormal_and_sorted(scale, lam):
    X = samples(3, 60, 8)
    fitted = SPCAGrid(8, scale=scale, lam=lam).fit(X)
    assert_allclose(fitted.components_ @ fitted.components_.T, np.eye(8), atol=1e-10)
    assert np.all(np.diff(fitted.scales_) <= 0)
    X = X - fitted.mean_
    assert_allclose([reference.SCALES[scale](X @ w) for w in fitted.components_], fitted.scales_, rtol=1e-8)
    unit = np.mean([reference.SCALES[scale](x) ** 2 for x in X.T])
    objective = fitted.scales_**2 - lam * unit * np.abs(fitted.components_).sum(axis=1)
    assert_allclose(fitted.objective_, objective, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("scale", ["mad", "qn"])
def test_toy_of_the_robust_paper(scale):
    for seed in range(15):
        rng = np.random.default_rng(seed)
        X = np.column_stack([np.arange(-24, 26) / 10, 0.5 * rng.standard_normal(50)])
        X[[37, 39], 1] = 7.0
        fitted = SPCAGrid(2, 1, scale=scale).fit(X)
        assert_array_equal(fitted.components_, np.eye(2))
        assert_array_equal(fitted.components_, RSPCA(2, 1, random_state=0).fit(X).components_)


@every_scale
def test_search_repeats_and_records(scale):
    X = samples(5, 40, 7)
    fitted = SPCAGrid(3, [4, 2, 3], scale=scale).fit(X)
    again = SPCAGrid(3, scale=scale).set_params(**fitted.calibrated_params_).fit(X)
    assert_array_equal(again.components_, fitted.components_)
    assert fitted.n_fits_ >= 3
    assert not hasattr(again, "n_fits_")
    first = SPCAGrid(1, 4, scale=scale).fit(X)
    assert_array_equal(first.exact_cardinality_, first.n_nonzero_ == 4)


def test_the_order_of_features_of_equal_scale_does_not_matter():
    X = samples(3, 20, 8)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    order = np.random.default_rng(0).permutation(8)
    one, other = (SPCAGrid(2, scale="sd", lam=0.3).fit(Y).components_ for Y in (X, X[:, order]))
    assert_allclose(other, one[:, order], atol=1e-9)


def test_outliers_do_not_move_robust_loadings():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 5)) * [5.0, 3.0, 1.0, 0.5, 0.5]
    X[:30, 4] += 100.0
    for scale in ("mad", "qn"):
        assert np.argmax(SPCAGrid(1, 2, scale=scale).fit(X).components_[0]) == 0
    assert np.argmax(SPCAGrid(1, 2, scale="sd").fit(X).components_[0]) == 4


def test_spatial_median():
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    assert_allclose(spatial_median(triangle), triangle.mean(axis=0), atol=1e-8)
    obtuse = np.array([[0.0, 0.0], [1.0, 0.05], [-1.0, 0.05]])
    assert_allclose(spatial_median(obtuse), obtuse[0], atol=1e-8)
    X = samples(7)
    y = spatial_median(X)
    assert np.linalg.norm(((X - y) / np.linalg.norm(X - y, axis=1)[:, None]).sum(axis=0)) < 1e-6
    assert_array_equal(spatial_median(np.full((4, 3), 0.1)), [0.1] * 3)
    fitted = [SPCAGrid(1, lam=0.0, centre=c).fit(X).mean_ for c in ("spatial", "median", "mean")]
    for mean, expected in zip(fitted, (y, np.median(X, axis=0), X.mean(axis=0)), strict=True):
        assert_allclose(mean, expected)


@pytest.mark.parametrize("copies", [1, 3])
def test_the_spatial_median_stays_on_samples_that_outweigh_the_others(copies):
    """The medians of the features are where it begins; the pull of the others there is 0.64 for each copy."""
    others = np.array([[1.0, 0.4], [-1.0, 0.4], [2.0, -0.1], [-2.0, -0.1]])
    pull = (others / np.linalg.norm(others, axis=1)[:, None]).sum(axis=0)
    assert 0.6 < np.linalg.norm(pull) < 0.7
    X = np.vstack([np.zeros((copies, 2)), np.tile(others, (copies, 1))]) + 0.25
    assert_array_equal(spatial_median(X), [0.25, 0.25])


def test_one_nonzero_and_all():
    X = samples(10, 50, 6)
    for scale in SCALES:
        assert SPCAGrid(1, 1, scale=scale).fit(X).n_nonzero_[0] == 1
        dense, free = (SPCAGrid(2, scale=scale, **p).fit(X) for p in ({"n_nonzero": 6}, {"lam": 0.0}))
        assert_array_equal(dense.components_, free.components_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_angles": 24}, "n_angles is 24; valid is an odd number"),
        ({"lam": -1.0}, "'lam' parameter .* Got -1.0"),
        ({"lam": 0.1, "n_nonzero": 2}, "both given"),
        ({"lam": [0.1]}, "lam has 1 values"),
        ({"scale": "iqr"}, "'scale' parameter .*mad.* Got 'iqr'"),
        ({"n_components": 5}, "n_components is 5; valid is"),
    ],
)
def test_refuses(parameters, message):
    with pytest.raises(ValueError, match=message):
        SPCAGrid(**parameters).fit(samples(11))


def test_components_past_the_rank_of_the_samples_are_said():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2)) @ rng.standard_normal((2, 6))
    with pytest.warns(UserWarning, match="span 2 dimensions, and there are 4 components; .* to at most 2"):
        SPCAGrid(4, lam=0.1).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SPCAGrid(2, lam=0.1).fit(X)
