"""SPARSE against its definition: minimisation on a grid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_robust import sparse
from spcabench_methods.truncations.lp import shrunken, sparse_approximation

POWERS = (0.0, 0.001, 0.3, 0.5, 0.7, 0.999, 1.0)


def penalty(theta, p):
    return (2 * (1 - p)) ** (1 - p) / (2 - p) ** (2 - p) * theta ** (2 - p)


@pytest.mark.parametrize("p", POWERS)
def test_minimises_the_penalised_distance(p):
    theta = 0.8
    grid = np.linspace(0.0, 4.0, 400_001)
    with np.errstate(divide="ignore"):
        norm = (grid > 0) * grid**p if p > 0 else (grid > 0).astype(float)
    for v in (0.3, 0.79, 0.81, 1.2, 3.7):
        wanted = grid[np.argmin((grid - v) ** 2 / 2 + penalty(theta, p) * norm)]
        found = sparse_approximation(np.array([v, 0.0, theta]), 1, p)[0] if v > theta else 0.0
        assert found == pytest.approx(wanted, abs=2e-5)


@pytest.mark.parametrize("p", [0.001, 0.3, 0.5, 0.7, 0.999])
def test_threshold_is_where_the_minimiser_jumps(p):
    theta = 1.7
    root = shrunken(np.array([theta]), theta, p)[0]
    assert root == pytest.approx(2 * (1 - p) / (2 - p) * theta, rel=1e-7)
    kept = (root - theta) ** 2 / 2 + penalty(theta, p) * root**p
    assert kept == pytest.approx(theta**2 / 2, rel=1e-9)


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.7, 0.95])
def test_root_solves_its_equation(p):
    size = np.array([2.0, 2.0001, 2.5, 10.0, 1e6])
    root = shrunken(size, 2.0, p)
    np.testing.assert_allclose(root + penalty(2.0, p) * p * root ** (p - 1), size, rtol=1e-13)
    assert np.all(root <= size)


@pytest.mark.parametrize("p", POWERS)
def test_keeps_the_k_largest_for_every_p(p):
    v, k = np.random.default_rng(3).standard_normal(20), 7
    u = sparse_approximation(v, k, p)
    assert set(np.flatnonzero(u)) == set(np.argsort(-np.abs(v))[:k])
    np.testing.assert_array_equal(np.sign(u[u != 0]), np.sign(v[u != 0]))


def test_limits_of_p():
    v = np.random.default_rng(4).standard_normal(30)
    v /= np.linalg.norm(v)
    for k in (1, 5, 29):
        hard, soft = (sparse_approximation(v, k, p) for p in (0.0, 1.0))
        np.testing.assert_allclose(sparse_approximation(v, k, 0.001), hard, atol=1e-2)
        np.testing.assert_allclose(sparse_approximation(v, k, 0.999), soft, atol=1e-2)


def test_closed_half_is_the_general_root():
    size = np.linspace(1.0, 9.0, 50)
    np.testing.assert_allclose(shrunken(size, 1.0, 0.5), shrunken(size, 1.0, 0.5 + 1e-9), rtol=1e-7)


def test_ties_keep_the_first():
    v = np.array([1.0, -2.0, 2.0, 2.0, 0.5])
    np.testing.assert_array_equal(sparse_approximation(v, 2, 0.0), [0, -2, 2, 0, 0])
    np.testing.assert_allclose(sparse_approximation(v, 2, 0.5), [0, -4 / 3, 4 / 3, 0, 0])
    np.testing.assert_array_equal(sparse_approximation(v, 2, 1.0), [0, -2, 2, 0, 0])
    np.testing.assert_array_equal(sparse_approximation(np.array([3.0, 2.0, 2.0]), 2, 1.0), [1, 0, 0])


def test_ties_are_not_decided_by_rounding():
    v = np.array([1.0, 1.0 + 1e-15, 1.0, 0.1])
    np.testing.assert_array_equal(np.flatnonzero(sparse_approximation(v, 1, 0.0)), [0])


def test_no_truncation_and_no_threshold():
    v = np.array([3.0, -1.0, 0.0, 0.0])
    for p in POWERS:
        np.testing.assert_array_equal(sparse_approximation(v, 4, p), v)
        np.testing.assert_array_equal(sparse_approximation(v, 2, p), v)
        assert not sparse_approximation(np.zeros(3), 1, p).any()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(-100, 100).map(lambda x: round(x, 2)), min_size=1, max_size=12),
    st.integers(1, 13),
    st.sampled_from(POWERS),
)
def test_agrees_with_the_plain_loop(values, k, p):
    v = np.array(values)
    found, wanted = sparse_approximation(v, k, p), sparse(v, k, p)
    if p == 1.0 and len(set(np.abs(found[found != 0]))) == 1:  # equal magnitudes: how large is not specified
        found, wanted = np.sign(found), np.sign(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)
