"""The leading eigenvector of a symmetric matrix, near a vector that is likely to be close to it."""

from __future__ import annotations

import numpy as np

from spcabench.specs import Array

SMALL = 64
"""Rows of a matrix up to which it is decomposed directly."""
STEPS = 300
"""Steps of the Lanczos method after which the matrix is decomposed directly all the same."""
EVERY = 8
"""Steps between two looks at whether it has converged."""
RESIDUAL = 1e-12
"""The norm of S v - t v at which it has, as a share of t."""
OTHER = 0.1
"""The norm of the random vector that is added to the start, since that may be the eigenvector of another eigenvalue."""


def leading(S: Array, near: Array) -> Array:
    """Return the unit eigenvector of the largest eigenvalue of a symmetric matrix.

    Parameters
    ----------
    S : ndarray of shape (n, n)
        Symmetric, its largest eigenvalue positive.
    near : ndarray of shape (n,)
        The nearer its direction, the sooner this is done.

    Notes
    -----
    The Lanczos method with full reorthogonalisation: a step costs one product with S, and about 40 to 90 of them do for
    blocks of a covariance, where a decomposition costs as much as some hundreds.

    References
    ----------
    Parlett 1998, The symmetric eigenvalue problem, chapter 13.
    """
    found = _lanczos(S, near, min(STEPS, len(S) // 3)) if len(S) > SMALL else None
    return _decomposed(S) if found is None else found


def _lanczos(S: Array, near: Array, steps: int) -> Array | None:
    """Return the eigenvector, or None if so many steps are not enough."""
    from scipy.linalg import eigh_tridiagonal

    basis = np.empty((steps, len(S)))
    other = np.random.default_rng(0).standard_normal(len(S))
    rest = near / (np.linalg.norm(near) or 1.0) + OTHER * other / np.linalg.norm(other)
    diagonal, beside = np.empty(steps), np.empty(steps)
    for step in range(steps):
        basis[step] = rest / np.linalg.norm(rest)
        known = basis[: step + 1]
        rest = S @ basis[step]
        inside = known @ rest
        diagonal[step] = inside[step]
        rest -= inside @ known
        rest -= (known @ rest) @ known
        beside[step] = np.linalg.norm(rest)
        if step == 0 and beside[0] == 0:  # scipy 1.12 takes no matrix of one row below
            return np.asarray(basis[0])
        if (step + 1) % EVERY == 0 or beside[step] == 0:
            (value,), vectors = eigh_tridiagonal(
                diagonal[: step + 1], beside[:step], select="i", select_range=(step, step)
            )
            if beside[step] * abs(vectors[-1, 0]) <= RESIDUAL * abs(value):
                vector = vectors[:, 0] @ known
                return np.asarray(vector / np.linalg.norm(vector))
    return None


def _decomposed(S: Array) -> Array:
    from scipy.linalg import eigh

    last = len(S) - 1
    _, vectors = eigh(S, subset_by_index=[last, last], driver="evx", check_finite=False)
    return np.asarray(vectors[:, 0])
