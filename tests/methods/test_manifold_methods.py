"""Proximal gradient on orthonormal columns: plain programs, descent, and limits."""

from __future__ import annotations

import numpy as np
import pytest
import reference_manifold as reference
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import PCA, SPCA, AManPG, ManPG
from spcabench_methods.manifold import manpg
from spcabench_methods.manifold.manpg import Tangent

GIVEN = {"covariance": "precomputed"}
LONG = {"tol": 1e-12, "max_iter": 100_000}

MANPG = [
    (1, 0.1, -3.909861),
    (1, 0.8, -1.915823),
    (2, 0.2, -5.413255),
    (3, 0.4, -5.419220),
    (3, 0.8, -3.036165),
    (6, 0.8, -3.582047),
]
AMANPG = [
    (1, 1.0, 0.2, -2.941013),
    (4, 1.0, 0.4, -4.712510),
    (6, 1e-6, 0.4, -7.825559),
    (4, "inf", 0.4, -19.197721),
    (6, "inf", 1.0, -10.572415),
]
ways = pytest.mark.parametrize("way", ["gradient", "polar"])


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


@pytest.mark.parametrize("l2", [1.0, "inf"])
def test_amanpg_solves_the_problem_of_spca(pitprops, l2):
    found = AManPG(3, l1=0.4, l2=l2, **LONG, **GIVEN).fit(pitprops)
    spca = SPCA(3, l1=0.4, ridge=l2, tol=1e-9, max_iter=10_000, **GIVEN).fit(pitprops)
    assert_array_equal(found.components_ != 0.0, spca.components_ != 0.0)
    assert_allclose(found.components_, spca.components_, atol=1e-5)


# Descent


@pytest.mark.filterwarnings("ignore:components .* did not converge")
@pytest.mark.parametrize("method", [ManPG(3, tol=0.0), AManPG(3, tol=0.0), AManPG(3, l2="inf", tol=0.0)], ids=repr)
def test_the_objective_does_not_rise(method, monkeypatch):
    monkeypatch.setattr(manpg, "NEGLIGIBLE", 0.0)
    for seed in range(3):
        S = correlations(seed)
        fits = [method.set_params(max_iter=m, **GIVEN).fit(S).objective_[0] for m in range(1, 25)]
        assert np.diff(fits).max() <= 1e-12


# Limits


def test_no_penalty_is_pca(X):
    for method in (ManPG(3, mu=0.0), AManPG(3, l1=0.0), AManPG(3, l1=0.0, l2="inf")):
        assert_allclose(method.fit(X).components_, PCA(3).fit(X).components_, atol=1e-6)


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
    with pytest.raises(ValueError, match="mu has 3 values"):
        ManPG(2, mu=[0.1, 0.2, 0.3]).fit(pitprops)
