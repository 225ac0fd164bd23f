"""The compiled truncations, rows and blocks of SPCArt against plain ones."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import reference_power
import reference_rotation as reference
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods.core.arrays import unit
from spcabench_methods.core.blocks import polar
from spcabench_methods.rotation.art_steps import (
    WIDTH,
    alternation,
    bounds,
    compiled_parts,
    in_blocks,
    in_rows,
    truncate,
)
from spcabench_methods.truncations import Selection, truncations
from spcabench_methods.truncations.energy import energy
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import top_k
from truncated import levels, vectors

pytestmark = pytest.mark.filterwarnings("ignore:components")


@given(vectors, st.floats(0, 0.99))
def test_energy_is_what_its_definition_says(z, share):
    assert_array_equal(energy(z, share) != 0, reference.energy(z, share) != 0)
    assert np.linalg.norm(z - energy(z, share)) ** 2 <= share + 1e-9


@given(st.integers(0, 12), st.sampled_from([1, 1e-12, 1e-300]), vectors, st.floats(0, 1))
def test_compiled_truncations_are_the_plain_ones(k, spread, v, threshold):
    v = v * spread ** np.linspace(0, 1, len(v))
    assert_array_equal(top_k.compiled(v, k + 1), reference_power.largest(v, k + 1))
    assert_array_equal(hard.compiled(v, threshold), reference_power.hard(v, threshold))
    assert_array_equal(soft.compiled(v, threshold), reference_power.soft(v, threshold))


@pytest.mark.parametrize("decimals", [1, 2, 12])
def test_compiled_truncations_of_long_vectors(decimals):
    v = np.random.default_rng(0).standard_normal(5001).round(decimals)
    for share in (0.0, 0.1, 0.5, 0.9):
        assert_array_equal(top_k(v, int(share * 5000) + 1), reference_power.largest(v, int(share * 5000) + 1))
        assert_array_equal(energy(v, share), reference.energy(v, share))


@cache
def one_step(rule):
    """Compile a step of the alternation."""
    shrunk, share = compiled_parts(rule)
    return njit(lambda *arrays: truncate(shrunk, share, *arrays))


class Truncated:
    """Loadings that follow rows by a rule."""

    def __init__(self, truncation, level, shape):
        self.rule = truncations()[truncation]
        self.W, self.scales = in_blocks(np.zeros(shape)), np.zeros(shape[0])
        self.limits = bounds(self.rule, np.full(shape[0], level, dtype=np.float64), self.W[:, 0].size)
        self.cuts = np.full(shape[0], 0.1)

    def follow(self, rows):
        """Return the loadings, their squared change, and their products with the rows."""
        V, R = in_blocks(rows), np.eye(len(rows))
        Z = np.empty_like(V if isinstance(self.rule, Selection) else V[:1])
        sums, space = np.empty((len(R), 4)), np.empty((2, *R.shape))
        change = one_step(self.rule)(R, V, Z, self.W, self.scales, self.limits, self.cuts, sums, space)
        return in_rows(self.W, rows.shape[1]) * self.scales[:, None], change, space[0]


@pytest.mark.parametrize("decimals", [1, 3, 15])
@pytest.mark.parametrize("d", [1, 12, 33, 700, WIDTH + 1, 2 * WIDTH + 3])
@levels
def test_rows_that_move_are_truncated_as_plainly(truncation, level, d, decimals):
    rng = np.random.default_rng(0)
    Z, W = rng.standard_normal((3, d)), np.zeros((3, d))
    loadings = Truncated(truncation, *level.values(), Z.shape)
    for step in (0.0, 1e-3, 0.05, 0.5, 5.0, 0.0):
        Z = Z + step * rng.standard_normal((3, d))
        rows = np.array([unit(z) for z in Z.round(decimals) + 10.0**-decimals])
        expected = np.array([unit(reference.TRUNCATIONS[truncation](z, *level.values())) for z in rows])
        moved = np.sum((expected - W) ** 2)
        W, change, M = loadings.follow(rows)
        assert_allclose(change, moved, rtol=1e-12, atol=1e-18)
        assert_allclose(W, expected, atol=1e-15)
        assert_allclose(M, expected @ rows.T, atol=1e-14)


def test_a_change_is_exact_where_hardly_anything_was_left():
    d, level = 16, 0.25
    nothing = np.full((1, d), level) * np.where(np.arange(d) < 3, 1.0 + 1e-15, 1.0)
    much = unit(np.arange(1.0, d + 1.0))[None]
    loadings, W = Truncated("l1", level, (1, d)), np.zeros((1, d))
    for rows in (nothing, much, nothing, nothing, 0.0 * much, much, much):
        old, (W, change, _) = W, loadings.follow(rows)
        assert_allclose(np.linalg.norm(W), 1.0 if rows.any() else 0.0)
        assert_allclose(change, np.sum((W - old) ** 2), rtol=1e-12, atol=1e-30)


@pytest.mark.parametrize("d", [1, 5, WIDTH, WIDTH + 1, 3 * WIDTH - 1])
def test_blocks_of_columns_hold_the_rows(d):
    rows = np.random.default_rng(0).standard_normal((3, d))
    blocks = in_blocks(rows)
    assert blocks.shape[2] <= WIDTH
    assert_array_equal(in_rows(blocks, d), rows)
    assert_allclose((blocks**2).sum(), (rows**2).sum())


@pytest.mark.parametrize("d", [40, 2 * WIDTH + 3])
@levels
def test_the_alternation_in_blocks_is_the_plain_one(truncation, level, d):
    V = np.linalg.qr(np.random.default_rng(0).standard_normal((d, 4)))[0].T
    given = {"l1": d**-0.5, "l0": d**-0.5, "sp": 0.3 * d // 1, "en": 0.2}[truncation]
    rule, columns = truncations()[truncation], in_blocks(V)
    limits = bounds(rule, np.full(4, given), columns[:, 0].size)
    blocks, R, M, _, _ = alternation(rule)(columns, limits, -1.0, 6)
    Q, W = np.eye(4), V
    for n_iter in range(6):
        Q = polar(W @ V.T) if n_iter else Q
        W = np.array(
            [unit(reference.TRUNCATIONS[truncation](z, int(given) if truncation == "sp" else given)) for z in Q @ V]
        )
    assert_allclose(R, Q, atol=1e-12)
    assert_allclose(M, W @ V.T, atol=1e-12)
    assert_allclose(in_rows(blocks, d), W, atol=1e-12)


@pytest.mark.parametrize("d", [3, 7, 10, 13, 49, 100])
def test_equal_entries_lose_their_share(d):
    found = [np.count_nonzero(energy(np.full(d, d**-0.5), zeros / d) == 0) for zeros in range(d)]
    assert_array_equal(found, np.arange(d))


def test_an_entry_at_the_threshold_goes():
    assert_array_equal(hard(np.array([0.5, -0.75]), 0.5), [0.0, -0.75])
    assert_array_equal(soft(np.array([0.5, -0.75]), 0.5), [0.0, -0.25])


def test_energy_removes_zeros_alone_at_no_share():
    assert_array_equal(energy(np.array([3.0, 0.0, -1e-8]), 0.0), [3.0, 0.0, -1e-8])
    assert_array_equal(energy(np.full(10, 10**-0.5), 0.1) == 0, [False] * 9 + [True])
    assert_array_equal(energy(np.ones(3), 1 - 1e-16), [1.0, 0.0, 0.0])
    assert_array_equal(energy(np.zeros(3), 0.5), np.zeros(3))
