"""Proximal gradient on orthonormal columns: plain steps, and limits; checks of published numbers hold its ends."""

import numpy as np
import pytest
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from reference_power import soft
from spcabench_methods import AManPG, ManPG
from spcabench_methods.manifold.manpg import Tangent

GIVEN = {"covariance": "precomputed"}


def tangent_step(S, W, mu, t, n_steps=2000):
    """Compute the step by plain ascent of the dual, full steps of one length."""
    L = np.zeros((W.shape[1], W.shape[1]))
    for _ in range(n_steps):
        Z = soft(W + 2 * t * S @ W + 2 * t * W @ L, t * mu)
        L = L - (Z.T @ W + W.T @ Z - 2 * np.eye(W.shape[1])) / (4 * t)
    return Z - W


@pytest.mark.parametrize("seed", range(3))
def test_a_step_is_the_plain_one_and_a_tangent(seed):
    S = np.corrcoef(decaying(seed, 30, 8).T)
    t = 0.5 / np.linalg.eigvalsh(S)[-1]
    for r in (1, 3):
        W = np.linalg.qr(np.random.default_rng(seed).standard_normal((8, r)))[0]
        D = Tangent(np.full(r, 0.3 * t), t, 1e-10).step(W, S @ W)
        assert_allclose(D.T @ W + W.T @ D, 0.0, atol=1e-7)
        assert_allclose(D, tangent_step(S, W, 0.3, t), atol=1e-6)


def test_large_penalties(pitprops):
    """Orthonormal loadings cannot vanish: each has a single feature; the columns of B can."""
    found = ManPG(3, mu=50.0, **GIVEN).fit(pitprops)
    assert_array_equal(found.n_nonzero_, [1, 1, 1])
    assert_array_equal(found.components_ @ found.components_.T, np.eye(3))
    with pytest.warns(UserWarning, match="components 1, 2 are zero"):
        assert not AManPG(2, l1=50.0, **GIVEN).fit(pitprops).components_.any()


def test_prices_of_their_own(pitprops):
    for method in (ManPG(2, mu=[0.0, 0.8], **GIVEN), AManPG(2, l1=[0.0, 1.0], **GIVEN)):
        few, many = np.sort(method.fit(pitprops).n_nonzero_)
        assert few <= 6 < many
