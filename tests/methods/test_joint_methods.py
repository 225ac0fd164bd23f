"""OrthogonalSPCA: orthogonality, disjointness, bounds and the numbers computed on pitprops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import OrthogonalSPCA
from spcabench_methods.joint import orthogonal

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")


def overlap(W):
    return np.abs(W @ W.T - np.eye(len(W))).sum()


def best_disjoint(S, k, r):
    """Find the best disjoint supports by enumeration, for r = 2."""
    assert r == 2
    values = {s: np.linalg.eigvalsh(S[np.ix_(s, s)])[-1] for s in itertools.combinations(range(len(S)), k)}
    return max(a + b for (s, a), (t, b) in itertools.combinations(values.items(), 2) if not set(s) & set(t))


def test_pitprops_three_components(pitprops):
    fitted = OrthogonalSPCA(3, 4, random_state=0, covariance="precomputed").fit(pitprops)
    assert fitted.feasible_
    assert fitted.objective_.sum() >= 7.1991
    assert_array_equal(fitted.n_nonzero_, [4, 4, 4])


@pytest.mark.nightly
def test_pitprops_six_components(pitprops):
    fitted = OrthogonalSPCA(6, 4, random_state=1, covariance="precomputed").fit(pitprops)
    assert fitted.feasible_
    assert fitted.objective_.sum() >= 10.531
    assert fitted.cpev_[-1] >= 0.8101
    assert_array_equal(fitted.n_nonzero_, [4] * 6)


@pytest.mark.parametrize("disjoint", [False, True])
def test_two_components_against_enumeration(pitprops, disjoint):
    bound = best_disjoint(pitprops, 3, 2)
    fitted = OrthogonalSPCA(2, 3, disjoint=disjoint, random_state=0, covariance="precomputed").fit(pitprops)
    if disjoint:
        assert fitted.objective_.sum() <= bound + 1e-10
    assert fitted.objective_.sum() >= 0.97 * bound


@pytest.mark.parametrize("disjoint", [False, True])
def test_constraints_and_bound(X, disjoint):
    fitted = OrthogonalSPCA(3, [4, 2, 3], disjoint=disjoint, n_init=2, max_iter=40, random_state=0).fit(X)
    assert fitted.feasible_
    assert overlap(fitted.components_) <= 1e-4
    assert fitted.violation_ == pytest.approx(overlap(fitted.components_), abs=1e-12)
    assert np.all(fitted.n_nonzero_ <= [4, 2, 3])
    A = X - X.mean(axis=0)
    variances = np.einsum("ij,ij->i", fitted.components_ @ (A.T @ A / len(A)), fitted.components_)
    assert_allclose(fitted.objective_, variances)
    assert variances.sum() <= np.linalg.svd(A)[1][:3] @ np.linalg.svd(A)[1][:3] / len(A) + 1e-10
    if disjoint:
        assert np.count_nonzero(fitted.components_, axis=0).max() == 1


def test_orthogonal_is_no_worse_than_disjoint(tall):
    for seed in range(3):
        found = [
            OrthogonalSPCA(2, 4, disjoint=disjoint, n_init=2, max_iter=30, random_state=seed).fit(tall).objective_.sum()
            for disjoint in (False, True)
        ]
        assert found[0] >= found[1] - 1e-10


def test_disjoint_rounds_never_lose(X):
    method = OrthogonalSPCA(3, 4, disjoint=True, random_state=0, tol=0.0)
    reached = [clone(method).set_params(max_iter=m).fit(X).objective_.sum() for m in range(1, 6)]
    assert np.all(np.diff(reached) >= -1e-12)


def test_features_run_out():
    X = np.random.default_rng(0).standard_normal((30, 5))
    with pytest.warns(ConvergenceWarning, match="components 3 are zero"):
        fitted = OrthogonalSPCA(3, [3, 2, 2], disjoint=True, random_state=0).fit(X)
    assert_array_equal(fitted.n_nonzero_, [3, 2, 0])
    assert fitted.feasible_


def test_iterative_eigenvalues_change_nothing(monkeypatch):
    X = decaying(0, 60, 30)
    found = OrthogonalSPCA(2, 4, max_iter=20, random_state=0).fit(X).components_
    monkeypatch.setattr(orthogonal, "ITERATIVE", 10)
    assert_allclose(OrthogonalSPCA(2, 4, max_iter=20, random_state=0).fit(X).components_, found, atol=1e-4)


def test_one_component(pitprops):
    fitted = OrthogonalSPCA(1, 6, random_state=0, covariance="precomputed").fit(pitprops)
    assert fitted.objective_[0] == pytest.approx(3.7710, abs=1e-4)
