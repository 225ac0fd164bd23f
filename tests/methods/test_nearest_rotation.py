"""The nearest rotation is the polar factor, by Newton's steps or by a decomposition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from spcabench_methods.core.blocks import polar
from spcabench_methods.rotation.art_steps import (
    alternation,
    in_blocks,
)
from spcabench_methods.rotation.nearest import nearest_rotation
from spcabench_methods.truncations.soft import soft


@pytest.mark.parametrize("r", [1, 2, 5, 20, 32, 40])
@pytest.mark.parametrize("smallest", [1.0, 0.3, 0.02, 1e-4])
def test_nearest_rotation_is_the_polar_factor(r, smallest):
    rng = np.random.default_rng(r)
    U, V = np.linalg.qr(rng.standard_normal((2, r, r)))[0]
    M = U * np.linspace(1.0, smallest, r) @ V.T
    found, settled = nearest_rotation(np.array([M] * 5))
    assert settled == (r <= 32 and (r <= 2 or smallest > 0.01))
    assert_allclose(found if settled else polar(M), U @ V.T, atol=1e-11)


@pytest.mark.parametrize("r", [3, 40])
def test_rotations_that_newton_does_not_find_are_found_by_a_decomposition(r):
    V = np.linalg.qr(np.random.default_rng(0).standard_normal((60, r)))[0].T
    limits = np.where(np.arange(r) < r - 1, 0.1, 1.0)  # nothing is left of the last row, so that W V' is singular
    blocks, R, _, n_iter, _ = alternation(soft)(in_blocks(V), limits, -1.0, 4)
    assert n_iter == 4
    assert_allclose(R @ R.T, np.eye(r), atol=1e-12)
    assert not blocks[0, -1].any()
