"""Fantope projection and selection: the projection, both solvers, and blocks."""

from __future__ import annotations

import numpy as np
import pytest
import reference_fantope as reference
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import FPS, PCA, SubspaceFPS
from spcabench_methods.relaxation.fantope import Fantope

GIVEN = {"covariance": "precomputed"}
solvers = pytest.mark.parametrize("solver", ["admm", "gradient"])

TABLE = [
    (2, 0.1, 5.194169, 12),
    (2, 0.2, 4.135356, 11),
    (2, 0.3, 3.295737, 9),
    (3, 0.3, 4.364516, 11),
    (3, 0.5, 2.719342, 8),
    (6, 0.1, 9.367693, 13),
]


def covariance(seed, d=8):
    return np.cov(decaying(seed, 30, d).T, bias=True)


# The projection


@pytest.mark.parametrize("d", [1, 6, 40])
def test_the_projection_is_the_plain_one(d):
    rng = np.random.default_rng(d)
    for scale in (0.1, 3.0):
        A = scale * rng.standard_normal((d, d))
        A += A.T
        for r in {1, (d + 1) // 2, d}:
            Z = Fantope(r).nearest(A)
            assert_allclose(Z, reference.projected(A, r), atol=1e-12)
            assert_allclose(Fantope(r).nearest(Z), Z, atol=1e-12)
            values = np.linalg.eigvalsh(Z)
            assert values.sum() == pytest.approx(r)
            assert values[0] >= -1e-12
            assert values[-1] <= 1.0 + 1e-12


# The solvers


@pytest.mark.parametrize("seed", [1, 2])
def test_the_plain_program_without_screening(seed):
    """In the second matrix two features without a covariance above lam are in the optimum, as r is 2."""
    S = covariance(seed)
    scale = S.diagonal().max()
    for r, share in ((1, 0.1), (2, 0.05), (2, 0.2), (3, 0.1)):
        phi = reference.fps(S / scale, r, share)
        for solver in ("admm", "gradient"):
            found = SubspaceFPS(r, lam=share * scale, solver=solver, **GIVEN).fit(S)
            assert_allclose(found.objective_, scale * phi, atol=1e-5 * scale)
            assert_allclose(found.upper_bound_, scale * phi, atol=1e-5 * scale)


# The loadings of a subspace


def test_blocks_have_loadings_of_their_own(pitprops):
    found = SubspaceFPS(2, lam=0.3, refit=False, **GIVEN).fit(pitprops)
    assert_array_equal(found.n_nonzero_, [7, 2])
    assert_allclose(found.eigenvalues_, 1.0, atol=1e-6)
    W = found.components_
    assert_allclose(np.linalg.eigvalsh(W @ pitprops @ W.T), [1.7412, 3.9585], atol=5e-5)


def test_refitted_loadings_share_the_features(pitprops):
    found = SubspaceFPS(2, lam=0.3, **GIVEN).fit(pitprops)
    features = SubspaceFPS(2, lam=0.3, refit=False, **GIVEN).fit(pitprops).components_.any(axis=0)
    assert_array_equal(found.components_ != 0.0, np.tile(features, (2, 1)))
    best = np.linalg.eigvalsh(pitprops[np.ix_(features, features)])[:-3:-1]
    assert_allclose(np.diag(found.components_ @ pitprops @ found.components_.T), best)


def test_loadings_of_one_block_have_uncorrelated_scores(X):
    S = np.cov(X.T, bias=True)
    for refit in (False, True):
        W = SubspaceFPS(2, lam=0.02 * S.max(), refit=refit, **GIVEN).fit(S).components_
        assert_allclose(W @ W.T, np.eye(2), atol=1e-8)
        assert_allclose(np.triu(W @ S @ W.T, 1), 0.0, atol=1e-8)


def test_two_spikes():
    rng = np.random.default_rng(0)
    V = np.zeros((2, 40))
    V[0, :8], V[1, 8:14] = 8**-0.5, 6**-0.5
    X = rng.standard_normal((200, 40)) + rng.standard_normal((200, 2)) @ (V * np.sqrt([[9.0], [4.0]]))
    found = SubspaceFPS(2, 14).fit(X)
    assert_array_equal(found.components_ != 0.0, np.tile(V.any(axis=0), (2, 1)))
    assert found.exact_cardinality_.all()


def test_no_penalty_is_pca(X):
    for method in (FPS(3, lam=0.0), SubspaceFPS(3, lam=0.0), SubspaceFPS(3, 99)):
        assert_allclose(method.fit(X).components_, PCA(3).fit(X).components_, atol=1e-3)


def test_large_penalties_leave_the_largest_variances():
    S = np.diag([1.0, 3.0, 2.0]) + 0.1
    for method in (SubspaceFPS(2, lam=1.0, **GIVEN), SubspaceFPS(2, 1, **GIVEN)):
        assert_array_equal(method.fit(S).components_.any(axis=0), [False, True, True])
        assert_array_equal(method.set_params(refit=False).fit(S).components_, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def test_a_search_reaches_its_number_of_features_and_can_be_repeated(X):
    found = SubspaceFPS(2, 5).fit(X)
    assert np.count_nonzero(found.components_.any(axis=0)) == 5
    assert found.n_fits_ > 1
    repeated = SubspaceFPS(2, **found.calibrated_params_).fit(X)
    assert_array_equal(repeated.components_, found.components_)


@pytest.mark.parametrize("method", [FPS(lam=0.1, n_nonzero=2), SubspaceFPS(lam=0.1, n_nonzero=2)], ids=repr)
def test_two_ways_to_set_the_penalty(method, pitprops):
    with pytest.raises(ValueError, match="both given"):
        method.set_params(**GIVEN).fit(pitprops)
