"""Refitting: each support with the best loading on it, one component after the other, or all together."""

import numpy as np
import pytest
from evaluations import evaluation
from hypothesis import given, settings
from hypothesis import strategies as st

from spcabench import Moments
from spcabench.metrics import variance
from spcabench.metrics._refit import refitted, together


@st.composite
def cases(draw):
    """Draw samples, wide or tall, and sparse loadings of which some may be zero."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, r = draw(st.integers(2, 12)), draw(st.integers(1, 9)), draw(st.integers(1, 4))
    X = rng.standard_normal((n, d)) * np.geomspace(1.0, 3.0, d) + 5.0
    W = rng.standard_normal((r, d)) * (rng.random((r, d)) < draw(st.sampled_from([0.2, 0.5, 1.0])))
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    return X, W / np.where(norms > 0, norms, 1.0)


def plain(components, S):
    """Refit by the definition: eigenvectors of blocks of S, deflated as a whole matrix."""
    found = np.zeros_like(components)
    for j, support in enumerate(components != 0):
        if support.any():
            found[j, support] = np.linalg.eigh(S[np.ix_(support, support)])[1][:, -1]
            P = np.eye(len(S)) - np.outer(found[j], found[j])
            S = P @ S @ P
    return found


def value(metric, components, moments):
    return metric(evaluation(components, X=moments.X, covariance=moments.covariance))


def covariance(X):
    return np.cov(X, rowvar=False, ddof=0).reshape(X.shape[1], -1)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_it_is_the_definition_for_samples_and_for_a_covariance(case):
    X, W = case
    S = covariance(X)
    wanted = value(variance.component_variance, plain(W, S), Moments(X=X))
    for moments in (Moments(X=X), Moments(covariance=S)):
        assert value(variance.component_variance, refitted(W, moments), moments) == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_one_component_explains_no_less_and_supports_and_zeros_stay(case):
    X, W = case
    moments = Moments(X=X)
    new = refitted(W, moments)
    assert value(variance.cpev, new[:1], moments) >= value(variance.cpev, W[:1], moments) - 1e-12
    assert not new[W == 0].any()
    np.testing.assert_allclose(np.linalg.norm(new, axis=1), W.any(axis=1))


@settings(max_examples=100, deadline=None)
@given(cases())
def test_refitting_twice_is_refitting_once(case):
    X, W = case
    for moments in (Moments(X=X), Moments(covariance=covariance(X))):
        once = refitted(W, moments)
        np.testing.assert_array_equal(refitted(once, moments), once)


def test_where_nothing_is_left_or_all_are_equal_loadings_stay_as_they_are():
    W = np.array([[0.6, 0.8, 0.0, 0.0], [0.0, 0.0, 0.6, 0.8]])
    np.testing.assert_array_equal(refitted(W, Moments(covariance=np.diag([1.0, 1.0, 0.0, 0.0]))), W)


def test_the_sign_is_that_of_the_loading_as_returned():
    S = np.diag([1.0, 2.0]) + 0.5
    assert refitted(np.array([[0.8, 0.6]]), Moments(covariance=S))[0].min() > 0
    assert refitted(np.array([[-0.8, -0.6]]), Moments(covariance=S))[0].max() < 0


def test_dense_wide_data_need_no_matrix_of_features_by_features():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((10, 30_000))
    found = refitted(rng.standard_normal((2, 30_000)), Moments(X=X))
    assert abs(found[0] @ found[1]) < 1e-9


@settings(max_examples=60, deadline=None)
@given(cases())
def test_together_they_span_no_less_than_as_returned_and_one_by_one(case):
    X, W = case
    for moments in (Moments(X=X), Moments(covariance=covariance(X))):
        found = together(W, refitted(W, moments), moments)
        before = max(value(variance.cpev, other, moments) for other in (W, refitted(W, moments)))
        assert value(variance.cpev, found, moments) >= before - 1e-9
        assert not found[W == 0].any()
        again = value(variance.cpev, together(found, refitted(found, moments), moments), moments)
        assert again == pytest.approx(value(variance.cpev, found, moments), abs=3e-4)


def test_together_they_reach_the_best_span_of_a_grid():
    S = np.array([[4.0, 2.0, 1.0], [2.0, 3.0, -1.0], [1.0, -1.0, 2.0]])
    W = np.array([[0.8, 0.6, 0.0], [0.0, 0.6, 0.8]])
    angles = np.linspace(0.0, np.pi, 721)
    one, other = np.zeros((2, 721, 3))
    one[:, :2] = other[:, 1:] = np.column_stack([np.cos(angles), np.sin(angles)])
    normals = np.cross(one[:, None], other[None])
    lengths = np.einsum("ijk,ijk->ij", normals, normals)
    left = np.einsum("ijk,kl,ijl->ij", normals, S, normals) / np.where(lengths > 1e-4, lengths, np.nan)
    found = together(W, refitted(W, Moments(covariance=S)), Moments(covariance=S))
    assert value(variance.cpev, found, Moments(covariance=S)) == pytest.approx(1.0 - np.nanmin(left) / 9.0, abs=1e-5)
