"""Rotation methods and the four truncations as written in their papers: slow, one obvious step after another."""

import numpy as np
from reference_power import centred, hard, largest, polar, soft, unit


def energy(z, share):
    """Set the smallest entries to zero, one after another, while they have no more than the share of the energy."""
    w = np.array(z)
    left = share * sum(x**2 for x in z) * (1 + 1e-12)
    for i in sorted(range(len(z)), key=lambda i: (abs(z[i]), -i))[: len(z) - 1]:
        left -= z[i] ** 2
        if left < 0:
            break
        w[i] = 0.0
    return w


TRUNCATIONS = {"l1": soft, "l0": hard, "sp": largest, "en": energy}


def eigenvectors(X, r):
    """Return the leading right singular vectors as columns."""
    return np.linalg.svd(centred(X))[2][:r].T


def spcart(V, truncation, level, n_iter=200, tol=0.0):
    d, r = V.shape
    R, W = np.eye(r), np.zeros((d, r))
    for _ in range(n_iter):
        Z, old = V @ R.T, W
        W = np.column_stack([unit(TRUNCATIONS[truncation](z, level)) for z in Z.T])
        R = polar(W.T @ V)
        if np.linalg.norm(W - old) / np.sqrt(r) < tol:
            break
    return W


def varimax(V, gamma, n_iter=3000):
    """Rotate without the term that makes the criterion convex."""
    d, r = V.shape
    R = np.eye(r)
    for _ in range(n_iter):
        L = V @ R
        R = polar(V.T @ (L**3 - gamma / d * L @ np.diag((L**2).sum(axis=0))))
    return V @ R
