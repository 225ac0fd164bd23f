"""The bounds that are proved for truncations and for SPCArt."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power
import reference_rotation as reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import PCA, SPCArt
from spcabench_methods.core.arrays import unit
from spcabench_methods.core.blocks import polar
from spcabench_methods.truncations.energy import energy
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import top_k
from truncated import LEVELS, columns, vectors

pytestmark = pytest.mark.filterwarnings("ignore:components")
seeds = st.integers(0, 2**32 - 1)


def sparsity(w):
    return 1 - np.count_nonzero(w) / len(w)


def deviation(w, z):
    """Return the sine of the angle between two lines, 1 if w is zero."""
    if not w.any():
        return 1.0
    u = unit(w)
    return float(np.linalg.norm(z - u * (u @ z)))


@given(vectors, st.floats(0, 1))
def test_bounds_of_hard_thresholds(z, threshold):
    d, w = len(z), hard(z, threshold)
    if threshold < d**-0.5:
        assert 0 <= sparsity(w) <= 1 - 1 / d + 1e-12
        assert deviation(w, z) <= np.sqrt(d - 1) * threshold + 1e-7
    else:
        assert 1 - 1 / (d * threshold**2) < sparsity(w) + 1e-12
    if w.any():
        assert_allclose(deviation(w, z), np.linalg.norm(z - w), atol=1e-7)


@given(vectors, st.floats(1e-3, 1))
def test_bounds_of_soft_thresholds(z, threshold):
    d, w, hardened = len(z), soft(z, threshold), hard(z, threshold)
    assert_array_equal(w != 0, hardened != 0)
    if threshold < d**-0.5:
        assert sparsity(w) <= 1 - 1 / d + 1e-12
    assert deviation(w, z) >= deviation(hardened, z) - 1e-7
    if w.any():
        cut = np.linalg.norm(z - hardened)
        assert cut - 1e-7 <= deviation(w, z) < np.sqrt(cut**2 + threshold**2 * np.count_nonzero(w))


@given(vectors, st.integers(0, 11))
def test_bounds_of_given_zeros(z, zeros):
    d = len(z)
    assume(zeros < d)
    w = top_k(z, d - zeros)
    assert zeros / d <= sparsity(w) + 1e-12 <= 1 - 1 / d + 2e-12
    assert deviation(w, z) <= np.sqrt(zeros / d) + 1e-7
    if np.count_nonzero(z) >= d - zeros:
        assert_allclose(sparsity(w), zeros / d)


@given(vectors, st.floats(0, 0.99))
def test_bounds_of_truncated_energy(z, share):
    d, w = len(z), energy(z, share)
    assert np.floor(share * d) / d <= sparsity(w) + 1e-12 <= 1 - 1 / d + 2e-12
    assert deviation(w, z) <= np.sqrt(share) + 1e-7


@given(seeds, st.integers(2, 5), st.sampled_from(LEVELS))
def test_bound_of_cosines(seed, r, level):
    d = 12
    Z = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, r)))[0].T
    W = [unit(reference.TRUNCATIONS[level[0]](z, *level[1].values())) for z in Z]
    angles = [np.arcsin(min(deviation(w, z), 1.0)) for w, z in zip(W, Z, strict=True)]
    for i in range(r):
        for j in range(i):
            total = angles[i] + angles[j]
            assert abs(W[i] @ W[j]) <= (np.sin(total) if total <= np.pi / 2 else 1.0) + 1e-9


@given(seeds, st.integers(1, 5))
def test_bound_of_variance_for_any_loadings(seed, r):
    rng = np.random.default_rng(seed)
    A, W = rng.standard_normal((15, 10)) * rng.uniform(0.1, 3, 10), rng.standard_normal((10, r))
    scales, Vt = np.linalg.svd(A)[1:]
    smallest = np.linalg.svd(W.T @ Vt[:r].T)[1].min()
    assert smallest**2 * (scales[:r] ** 2).sum() <= np.linalg.norm(A @ W) ** 2 * (1 + 1e-9)


@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(2, 4), st.sampled_from([0.0, 0.01, 0.05, 0.2]))
def test_bound_of_variance_at_a_fixed_point(seed, r, share):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 10)) * rng.uniform(0.1, 3, 10)
    fitted = SPCArt(r, truncation="en", energy=share, tol=1e-12, max_iter=5000).fit(X)
    assume(fitted.converged_.all())
    W, V = columns(fitted), PCA(r).fit(X).components_.T
    M = V.T @ W @ polar(W.T @ V)
    assert_allclose(M, M.T, atol=1e-8)
    assert np.linalg.eigvalsh(M + M.T).min() >= -1e-8
    Z = V @ polar(W.T @ V).T
    angle = max(np.arcsin(min(deviation(w, z), 1.0)) for w, z in zip(W.T, Z.T, strict=True))
    A = reference_power.centred(X)
    factor = np.cos(angle) ** 2 - np.sqrt(r - 1) * np.sin(2 * angle)
    assert factor * np.linalg.norm(A @ V) ** 2 <= np.linalg.norm(A @ W) ** 2 + 1e-9
