"""Fantope projection and selection as the paper has it: full eigenvectors, a fixed penalty, no screening."""

import numpy as np


def projected(A, r):
    """Project on the Fantope; the shift of the eigenvalues by bisection."""
    values, vectors = np.linalg.eigh(A)
    low, high = values[0] - 1.0, values[-1]
    for _ in range(60):
        middle = (low + high) / 2
        if np.clip(values - middle, 0.0, 1.0).sum() > r:
            low = middle
        else:
            high = middle
    return vectors @ np.diag(np.clip(values - high, 0.0, 1.0)) @ vectors.T


def fps(S, r, lam, n_iter=300):
    """Return almost the largest ``tr SZ - lam sum |Z|``."""
    Z, U = np.zeros_like(S), np.zeros_like(S)
    for _ in range(n_iter):
        P = projected(Z - U + S, r)
        Z = np.sign(P + U) * np.maximum(np.abs(P + U) - lam, 0.0)
        U = U + P - Z
    return np.sum(S * P) - lam * np.abs(P).sum()
