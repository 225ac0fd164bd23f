"""Proximal gradient on orthonormal columns: plain programs, descent, and limits."""

from __future__ import annotations

import numpy as np
import pytest
import reference_manifold as reference
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import AManPG, ManPG
from spcabench_methods.manifold.manpg import Tangent

GIVEN = {"covariance": "precomputed"}
LONG = {"tol": 1e-12, "max_iter": 100_000}


def correlations(seed, d=8):
    return np.corrcoef(decaying(seed, 30, d).T)


# Plain programs


@pytest.mark.parametrize("seed", range(3))
def test_a_step_is_the_plain_one_and_a_tangent(seed):
    S = correlations(seed)
    t = 0.5 / np.linalg.eigvalsh(S)[-1]
    for r in (1, 3):
        W = np.linalg.qr(np.random.default_rng(seed).standard_normal((8, r)))[0]
        D = Tangent(np.full(r, 0.3 * t), t, 1e-10).step(W, S @ W)
        assert_allclose(D.T @ W + W.T @ D, 0.0, atol=1e-7)
        assert_allclose(D, reference.tangent_step(S, W, 0.3, t), atol=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_manpg_is_its_plain_program(seed):
    S = correlations(seed)
    values, W = reference.manpg(S, 2, 0.3, 12)
    found = ManPG(2, mu=0.3, tol=0.0, max_iter=12, **GIVEN)
    with pytest.warns(UserWarning, match="did not converge"):
        found.fit(S)
    assert_allclose(found.objective_, values[-1], atol=1e-5)
    assert_allclose(np.abs(found.components_), np.abs(W.T), atol=2e-5)


@pytest.mark.parametrize("l2", [1.0, "inf"])
def test_amanpg_is_its_plain_program(l2):
    S = correlations(0)
    value, B = reference.amanpg(S, 2, 0.4, l2)
    for way in ("gradient", "polar"):
        found = AManPG(2, l1=0.4, l2=l2, orthonormal_step=way, **LONG, **GIVEN).fit(S)
        assert_allclose(found.objective_, value, atol=1e-8)
        assert_allclose(np.abs(found.components_), np.abs(B / np.linalg.norm(B, axis=0)).T, atol=1e-4)


# Values


# Descent


# Limits


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
