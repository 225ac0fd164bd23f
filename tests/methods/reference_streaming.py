"""Oja's algorithm with a threshold at the end, as written: one sample after another."""

from __future__ import annotations

import numpy as np
from reference_power import largest, with_sign


def oja(X, eta, k, start):
    u = start / np.linalg.norm(start)
    for x in X - X.mean(axis=0):
        u = u + eta * x * (x @ u)
        u = u / np.linalg.norm(u)
    w = largest(u, k)
    return with_sign(w / np.linalg.norm(w))


def best_of_six(X, k, start):
    """Try six steps on the first 90 %, relative to the mean square so far, and keep the best on the others."""
    A = X - X.mean(axis=0)
    cut = int(np.floor(0.9 * len(A)))
    ends = []
    for share in (1, 1 / 2, 2, 1 / 4, 4, 1 / 8):
        u = start / np.linalg.norm(start)
        for i in range(cut):
            eta = share / np.mean(np.sum(A[: i + 1] ** 2, axis=1))
            u = u + eta * A[i] * (A[i] @ u)
            u = u / np.linalg.norm(u)
        w = largest(u, k)
        ends.append(w / np.linalg.norm(w))
    return with_sign(max(ends, key=lambda w: np.sum((A[cut:] @ w) ** 2)))
