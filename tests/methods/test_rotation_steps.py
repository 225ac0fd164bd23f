"""The compiled truncations, rows and blocks of SPCArt against plain ones."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import reference_rotation as reference
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
from truncated import levels

pytestmark = pytest.mark.filterwarnings("ignore:components")


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
