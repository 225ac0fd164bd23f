"""ALSPCA: its constraints and nearby points."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from spcabench_methods import ALSPCA

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}


@pytest.mark.parametrize("max_correlation", [None, 0.0, 0.05])
def test_alspca_meets_its_constraints(X, max_correlation):
    fitted = ALSPCA(3, rho=0.1, max_correlation=max_correlation).fit(X)
    assert fitted.converged_.all()
    W = fitted.components_
    assert_allclose(W @ W.T, np.eye(3), atol=2e-3)
    S = np.cov(X.T, bias=True)
    C = W @ S @ W.T / np.linalg.eigvalsh(S)[-1]
    limit = np.inf if max_correlation is None else max_correlation
    assert np.all(np.abs(C - np.diag(np.diag(C))) <= limit + 2e-3)


def test_alspca_is_a_local_maximum(X):
    S = np.cov(X.T, bias=True)
    top = np.linalg.eigvalsh(S)[-1]
    W = ALSPCA(2, rho=0.1, tol=1e-5).fit(X).components_.T

    def orthogonal(M):
        U, _, Vt = np.linalg.svd(M, full_matrices=False)
        return U @ Vt

    def objective(M):
        return np.trace(M.T @ S @ M) - 0.1 * top * np.abs(M).sum()

    best, rng = objective(orthogonal(W)), np.random.default_rng(0)
    for size in (0.3, 0.1, 0.03):
        for _ in range(30):
            step = size * rng.standard_normal(W.shape) * (rng.random(W.shape) < 0.5) * (W != 0)
            assert objective(orthogonal(W + step)) <= best + 1e-4 * top


def test_alspca_one_penalty_per_component(X):
    fitted = ALSPCA(2, rho=[0.0, 0.3]).fit(X)
    assert fitted.n_nonzero_[0] > fitted.n_nonzero_[1]
