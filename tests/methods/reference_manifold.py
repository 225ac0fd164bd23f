"""The methods on orthonormal columns as written: full steps, plain dual ascent, no adaptive lengths."""

from __future__ import annotations

import numpy as np


def polar(M):
    values, vectors = np.linalg.eigh(M.T @ M)
    return M @ vectors @ np.diag(values**-0.5) @ vectors.T


def soft(M, t):
    return np.sign(M) * np.maximum(np.abs(M) - t, 0.0)


def tangent_step(S, W, mu, t, n_steps=2000):
    L = np.zeros((W.shape[1], W.shape[1]))
    for _ in range(n_steps):
        Z = soft(W + 2 * t * S @ W + 2 * t * W @ L, t * mu)
        L = L - (Z.T @ W + W.T @ Z - 2 * np.eye(W.shape[1])) / (4 * t)
    return Z - W


def manpg_value(S, W, mu):
    return mu * np.abs(W).sum() - np.trace(W.T @ S @ W)


def manpg(S, r, mu, n_iter):
    """Return the objectives of all iterates, and the last of them."""
    W = np.linalg.eigh(S)[1][:, ::-1][:, :r]
    t = 0.5 / np.linalg.eigvalsh(S)[-1]
    values = [manpg_value(S, W, mu)]
    for _ in range(n_iter):
        D, share = tangent_step(S, W, mu, t), 1.0
        while manpg_value(S, polar(W + share * D), mu) > values[-1] - share * np.sum(D**2) / (2 * t):
            share /= 2
        W = polar(W + share * D)
        values.append(manpg_value(S, W, mu))
    return values, W


def amanpg_value(S, A, B, l1, l2):
    square = np.sum(B**2) if l2 == "inf" else np.trace(B.T @ S @ B) + l2 * np.sum(B**2)
    return square - 2 * np.trace(A.T @ S @ B) + l1 * np.abs(B).sum()


def amanpg(S, r, l1, l2, n_iter=3000):
    """Take the best A each time; return the last objective and B."""
    A = B = np.linalg.eigh(S)[1][:, ::-1][:, :r]
    for _ in range(n_iter):
        if l2 == "inf":
            B = soft(S @ A, l1 / 2)
        else:
            t = 1 / (2 * np.linalg.eigvalsh(S)[-1] + 2 * l2)
            B = soft(B - 2 * t * (S @ B - S @ A + l2 * B), t * l1)
        A = polar(S @ B)
    return amanpg_value(S, A, B, l1, l2), B
