"""The compiled truncations and rotations of SPCArt against plain ones."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import reference_rotation as reference
from numba import njit
from numpy.testing import assert_allclose
from spcabench_methods.core.arrays import unit
from spcabench_methods.core.blocks import polar
from spcabench_methods.rotation.art_steps import alternation, bounds, compiled_parts, truncate
from spcabench_methods.truncations import truncations
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
        self.W, self.cuts = np.zeros(shape), np.full(shape[0], 0.1)
        self.limits = bounds(self.rule, np.full(shape[0], level, dtype=np.float64), shape[1])

    def follow(self, rows):
        """Return the loadings, and their squared change."""
        change = one_step(self.rule)(rows.copy(), self.W, self.limits, self.cuts)
        return self.W.copy(), change


@pytest.mark.parametrize("decimals", [1, 3, 15])
@pytest.mark.parametrize("d", [1, 12, 33, 700, 2051])
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
        W, change = loadings.follow(rows)
        assert_allclose(change, moved, rtol=1e-12, atol=1e-18)
        assert_allclose(W, expected, atol=1e-15)


def test_a_change_is_exact_where_hardly_anything_was_left():
    d, level = 16, 0.25
    nothing = np.full((1, d), level) * np.where(np.arange(d) < 3, 1.0 + 1e-15, 1.0)
    much = unit(np.arange(1.0, d + 1.0))[None]
    loadings, W = Truncated("l1", level, (1, d)), np.zeros((1, d))
    for rows in (nothing, much, nothing, nothing, 0.0 * much, much, much):
        old, (W, change) = W, loadings.follow(rows)
        assert_allclose(np.linalg.norm(W), 1.0 if rows.any() else 0.0)
        assert_allclose(change, np.sum((W - old) ** 2), rtol=1e-12, atol=1e-30)


@pytest.mark.parametrize("d", [40, 2051])
@levels
def test_the_alternation_is_the_plain_one(truncation, level, d):
    V = np.linalg.qr(np.random.default_rng(0).standard_normal((d, 4)))[0].T
    given = {"l1": d**-0.5, "l0": d**-0.5, "sp": 0.3 * d // 1, "en": 0.2}[truncation]
    rule = truncations()[truncation]
    limits = bounds(rule, np.full(4, given), d)
    found, R, M, _, _ = alternation(rule)(V.copy(), limits, -1.0, 6)
    Q, W = np.eye(4), V
    for n_iter in range(6):
        Q = polar(W @ V.T) if n_iter else Q
        W = np.array(
            [unit(reference.TRUNCATIONS[truncation](z, int(given) if truncation == "sp" else given)) for z in Q @ V]
        )
    assert_allclose(R, Q, atol=1e-12)
    assert_allclose(M, W @ V.T, atol=1e-12)
    assert_allclose(found, W, atol=1e-12)
