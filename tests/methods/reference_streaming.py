"""Oja's algorithm with a threshold at the end, as written: one sample after another."""

import numpy as np
from reference_power import largest, unit, with_sign


def climbed(A, step, k, start):
    """Follow samples with steps ``step(i)``."""
    u = unit(start)
    for i, x in enumerate(A):
        u = unit(u + step(i) * x * (x @ u))
    return unit(largest(u, k))


def oja(X, eta, k, start):
    return with_sign(climbed(X - X.mean(axis=0), lambda i: eta, k, start))


def best_of_six(X, k, start):
    """Try six steps on the first 90 %, relative to the mean square so far, and keep the best on the others."""
    A = X - X.mean(axis=0)
    cut = int(np.floor(0.9 * len(A)))
    square = np.cumsum(np.sum(A**2, axis=1)) / np.arange(1, len(A) + 1)
    shares = (1, 1 / 2, 2, 1 / 4, 4, 1 / 8)
    ends = [climbed(A[:cut], lambda i, share=share: share / square[i], k, start) for share in shares]
    return with_sign(max(ends, key=lambda w: np.sum((A[cut:] @ w) ** 2)))
