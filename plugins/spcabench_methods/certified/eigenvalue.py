"""Bounds of single eigenvalues that rounding does not break: iterations alone bound the largest one from below."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cholesky

from spcabench_methods.core.arrays import EPS, Array
from spcabench_methods.core.eigenvectors import leading_eigenvectors

MOST_DECOMPOSED, MOST_FACTORED = 600, 5000
"""A matrix of more features than this is not decomposed; of more than that, not even factored."""

STEPS = (1e-10, 1e-6)
"""What is added to the largest eigenvalue that iterations found, as a share of it, until it is proved to be a bound."""

PRINTED = 1e-6
"""An eigenvalue may be this share of the norm below zero where a covariance was printed with few digits."""


def largest_eigenvalue(S: Array) -> float:
    """Return an upper bound of the largest eigenvalue of a symmetric matrix.

    It is tight up to rounding, or by a share of 1e-10 if a factorisation proves what iterations found.  Of a matrix too
    large to factor it is the Frobenius norm.
    """
    n, norm = len(S), float(np.linalg.norm(S))
    if n <= MOST_DECOMPOSED:
        return float(np.linalg.eigvalsh(S)[-1]) + 4 * n * EPS * norm
    if n <= MOST_FACTORED:
        found = float(leading_eigenvectors(S, 1)[0][0])
        for step in STEPS:
            bound = found * (1 + step)
            if semidefinite(bound * np.eye(n) - S):
                return bound + 4 * n * EPS * norm
    return norm


def dip(S: Array) -> float:
    """Return how far the eigenvalues of a covariance may lie below zero; infinite if S is clearly indefinite."""
    norm = float(np.linalg.norm(S))
    if norm == 0:
        return 0.0
    shifts = (norm * share for share in (len(S) * EPS, PRINTED))
    return next((shift for shift in shifts if semidefinite(S + shift * np.eye(len(S)))), np.inf)


def semidefinite(S: Array) -> bool:
    """Return whether S has a Cholesky factor, so that rounding alone can make an eigenvalue negative."""
    try:
        cholesky(S, lower=True, check_finite=False)
    except LinAlgError:
        return False
    return True
