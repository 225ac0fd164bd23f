"""RSPCA and PCA-L1: the plain loop, exact sums and sides, starts, and awkward data."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_robust import robust_components
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import PCAL1, RSPCA
from spcabench_methods.core.default_starts import default_starts
from spcabench_methods.core.moments import Gram
from spcabench_methods.robust import bounded_sum
from spcabench_methods.robust.bounded_sum import BoundedSum, Rows
from spcabench_methods.robust.signed_sum import SignedSum
from spcabench_methods.robust.turns import LEVELS, round_step

POWERS = (0.0, 0.3, 0.5, 1.0)


def samples(kind, rng):
    if kind == "wide":
        return rng.standard_normal((20, 60))
    X = rng.standard_normal((80, 12)) @ np.diag(np.linspace(1, 3, 12)) + rng.standard_t(2, (80, 1)) * np.arange(12)
    if kind == "duplicates":
        X = np.vstack([X[:40], X[:40]])
        X[:, 5] = X[:, 4]
        X[:, 7] = 3.0
    if kind == "whole":
        X = rng.integers(-2, 3, (60, 8)).astype(float)
    return X


def same(fitted, found, atol=1e-8):
    wanted = np.array([f[0] for f in found])
    np.testing.assert_allclose(np.abs(fitted.components_), np.abs(wanted), atol=atol)
    np.testing.assert_allclose(fitted.objective_, [f[1] for f in found], rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(fitted.n_iter_per_component_, [f[2] for f in found])


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("kind", ["tall", "wide", "duplicates", "whole"])
def test_agrees_with_the_plain_loop(kind, p):
    for seed in range(2):
        X = samples(kind, np.random.default_rng(seed))
        d = X.shape[1]
        for k in (1, 4, d):
            starts, counts = [np.ones(d)] * 4, [k] * 4
            fitted = RSPCA(4, k, p=p, init="published", random_state=0).fit(X)
            same(fitted, robust_components(X, starts, counts, p=p))


@pytest.mark.parametrize("bounded", [True, False])
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(2, 30), st.floats(1e-6, 1e6))
def test_signs_and_sums_are_exact(bounded, seed, n, d, scale):
    rng = np.random.default_rng(seed)
    X = scale * rng.standard_normal((n, d)) * rng.choice([1e-3, 1.0], (n, 1)) * (rng.random((n, d)) < 0.7)
    mean = scale * rng.integers(-2, 3, d)
    fast, deflated = BoundedSum(Rows(X + mean, mean)) if bounded else SignedSum(X), X.copy()
    w = rng.standard_normal(d)
    for move in (1.0, 0.1, 0.01, 1e-4, 0.0) * 3:
        w += move * rng.standard_normal(d)
        w /= np.linalg.norm(w)
        total = fast.turn(w)
        margins = deflated @ w
        clear = np.abs(margins) > 1e-9 * fast.norms
        np.testing.assert_array_equal(fast.signs[clear], np.sign(margins[clear]))
        np.testing.assert_allclose(total, fast.signs @ deflated, atol=1e-9 * fast.norms.sum())
        if move == 0.0:
            fast.deflate(w.copy())
            deflated -= np.outer(deflated @ w, w)
            np.testing.assert_allclose(fast.squares, (deflated**2).sum(axis=1), atol=1e-9 * scale**2 * d)


@pytest.mark.parametrize("samples_each", [16, 256])
@pytest.mark.parametrize("seed", range(3))
def test_sides_of_samples_near_the_hyperplane_are_those_of_exact_products(seed, samples_each, monkeypatch):
    monkeypatch.setattr(bounded_sum, "SAMPLES_EACH", samples_each)
    rng = np.random.default_rng(seed)
    n, d = 400, 50
    w = np.ones(d) / np.sqrt(d)
    distances = rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-10, 0, n)
    X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-2, 2, (n, 1))
    X += np.outer(distances * np.linalg.norm(X, axis=1) - X @ w, w)
    fast = BoundedSum(Rows(X, np.zeros(X.shape[1])))
    for length in np.repeat(10.0 ** -np.arange(2.0, 10.0), 5):
        step = rng.standard_normal(d)
        w = w + length * step / np.linalg.norm(step)
        w /= np.linalg.norm(w)
        total, margins = fast.turn(w), X @ w
        clear = np.abs(margins) > 2e-12 * fast.norms
        np.testing.assert_array_equal(fast.signs[clear], np.sign(margins[clear]))
        assert (fast._rooms() <= np.abs(margins) + 1e-12 * fast.norms).all()
        np.testing.assert_allclose(total, fast.signs @ X, atol=1e-11 * fast.norms.sum())


@pytest.mark.parametrize(("dtype", "order"), [("f8", "C"), ("f8", "F"), ("f4", "C")])
def test_many_samples_have_bounds_whatever_their_type_and_order(dtype, order, monkeypatch):
    X = np.random.default_rng(0).standard_normal((80, 12)).astype("f4").astype(dtype, order=order)
    plain = RSPCA(2, 4).fit(X)
    monkeypatch.setattr(bounded_sum, "LARGE", X.size)
    assert isinstance(RSPCA()._read(X, X.mean(axis=0))[1], Rows)
    np.testing.assert_allclose(RSPCA(2, 4).fit(X).components_, plain.components_, atol=1e-12)


def test_sides_are_those_of_exact_products_where_steps_alone_are_rounded():
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], (20, 60))
    inverse = np.linalg.pinv(X)
    fast = BoundedSum(Rows(X, np.zeros(X.shape[1])))
    for _ in range(20):
        w = rng.standard_normal(60)
        w += inverse @ (rng.choice([-1.0, 1.0], 20) * 10.0 ** rng.uniform(-10, -3, 20) - X @ w)
        w /= np.linalg.norm(w)
        fast.turn(w)
        np.testing.assert_array_equal(fast.signs, np.sign(X @ w))


@pytest.mark.parametrize("d", [3, 784, 200_000, pytest.param(20_000_000, marks=pytest.mark.nightly)])
def test_products_of_whole_numbers_fit_in_four_bytes(d):
    for step in (np.ones(d), np.arange(d) == 1):
        whole = np.empty(d, dtype=np.int16)
        unit, _, lost = round_step(0.01 * step, whole)
        assert LEVELS * int(np.abs(whole).sum(dtype=np.int64)) < 2**31
        assert np.abs(unit * whole - 0.01 * step).max() <= max(lost, 1e-18)
    assert round_step(np.zeros(d), whole)[1] == 0.0


def test_ascent_that_stays_below_its_best_ends():
    X = np.random.default_rng(28).standard_normal((500, 60))
    fitted = RSPCA(1, 8, p=1.0, init="published", random_state=0).fit(X)
    same(fitted, robust_components(X, [np.ones(60)], [8], p=1.0))
    assert fitted.n_iter_ == 33


def test_restarts_where_samples_lie_in_the_hyperplane():
    X = np.array([[2.0, 2.0], [-2.0, -2.0], [3.0, -3.0], [-3.0, 3.0]])
    stuck = 4 * np.sqrt(2)
    assert RSPCA(1, 2, random_state=0).fit(X).objective_[0] > 1.5 * stuck
    apart = np.array([[2.0, 2.0, 0.0], [-2.0, -2.0, 0.0], [0.0, 0.0, 3.0], [0.0, 0.0, -3.0]])
    fitted = RSPCA(1, 2, init=[1.0, 1.0, 0.0], random_state=0).fit(apart)
    assert (fitted.n_iter_, fitted.objective_[0]) == (1, pytest.approx(stuck))


def test_default_is_the_best_of_several_starts_in_the_deflated_samples():
    X = np.random.default_rng(6).standard_normal((60, 12))
    fitted, rest = RSPCA(3, 4, random_state=0).fit(X), X - X.mean(axis=0)
    for w, reached in zip(fitted.components_, fitted.objective_, strict=True):
        starts = default_starts(Gram(rest.T @ rest / 60), 4)
        ends = [RSPCA(1, 4, init=start, random_state=0).fit(rest).objective_[0] for start in starts]
        assert reached == pytest.approx(max(ends), rel=1e-10)
        assert reached > min(ends)
        rest = rest - np.outer(rest @ w, w)


@pytest.mark.parametrize("init", ["several", "ones", "pca", "random", "multi"])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_exhausted_data_give_zero_loadings_and_one_warning(rank, init):
    rng = np.random.default_rng(9)
    X = rng.standard_normal((30, rank)) @ rng.standard_normal((rank, 6)) + 1.0
    with pytest.warns(ConvergenceWarning) as caught:
        fitted = RSPCA(4, 6, init=init, random_state=0).fit(X)
    assert len(caught) == 1
    np.testing.assert_array_equal(fitted.n_nonzero_ > 0, np.arange(4) < rank)
    assert np.isfinite(fitted.components_).all()


@pytest.mark.parametrize("shape", [(80, 12), (20, 60), (9, 3)])
def test_pca_l1_agrees_with_the_plain_loop(shape):
    for seed in range(3):
        X = np.random.default_rng(seed).standard_t(2, shape)
        same(PCAL1(3, random_state=0).fit(X), robust_components(X, [None] * 3, [shape[1]] * 3, max_iter=1000))


def test_random_starts_reach_the_exhaustive_maximum():
    for seed in range(5):
        X = np.random.default_rng(seed).standard_normal((10, 3))
        centred = X - X.mean(axis=0)
        signs = np.array(list(itertools.product([-1.0, 1.0], repeat=10)))
        wanted = np.linalg.norm(signs @ centred, axis=1).max()
        found = PCAL1(1, init="random", n_init=30, random_state=0).fit(X).objective_[0]
        assert found == pytest.approx(wanted)
