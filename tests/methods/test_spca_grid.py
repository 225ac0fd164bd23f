"""SPCAGrid, its scales and its centre: plain loops, PCA, the published toy, and awkward data."""

import warnings

import numpy as np
import pytest
import reference_grid as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import SPCAGrid
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
    z = np.random.default_rng(0).standard_cauchy(500)
    assert scale_of(z, SCALES["qn"]) == pytest.approx(reference.qn(z), rel=1e-12)
    normal = np.random.default_rng(1).standard_normal(100_000)
    for scale in SCALES.values():
        assert scale_of(2.5 * normal, scale) == pytest.approx(2.5, rel=0.01)


@every_scale
def test_agrees_with_the_plain_loop(scale):
    for seed, lams in enumerate([[0.0] * 4, [0.1] * 4, [0.5, 0.2, 0.1, 0.0], [3.0] * 4]):
        X = samples(seed, n=15)
        fitted = SPCAGrid(4, scale=scale, lam=lams, n_halvings=3).fit(X)
        W, scales = reference.spca_grid(X - fitted.mean_, 4, lams, scale, n_halvings=3)
        assert_allclose(np.abs(fitted.components_), np.abs(W), atol=1e-8)
        assert_allclose(fitted.scales_, scales, rtol=1e-9)
        unit = np.mean([reference.SCALES[scale](x) ** 2 for x in X.T])
        if len(set(lams)) == 1:
            objective = scales**2 - lams[0] * unit * np.abs(W).sum(axis=1)
            assert_allclose(fitted.objective_, objective, rtol=1e-7, atol=1e-10)


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


def test_components_past_the_rank_of_the_samples_are_said():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2)) @ rng.standard_normal((2, 6))
    with pytest.warns(UserWarning, match="span 2 dimensions, and there are 4 components; .* to at most 2"):
        SPCAGrid(4, lam=0.1).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SPCAGrid(2, lam=0.1).fit(X)
