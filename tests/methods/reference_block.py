"""Block methods and rSVD-GP as written in their papers: on samples, with scores, one obvious step after another."""

import numpy as np
from reference_power import centred, climbed, hard, largest_variance, polar, soft, unit
from reference_rotation import TRUNCATIONS, eigenvectors


def relative(truncation, z, level):
    if truncation in ("l1", "l0"):
        level = level * np.linalg.norm(z)
    return TRUNCATIONS[truncation](z, level)


def rsvd_gp(X, truncation, level, r):
    return climbed(X, r, largest_variance, lambda z, A, w: relative(truncation, z, level))


def gpower_block(X, penalty, rho, mu, n_iter=500):
    """Return the loadings without refit as columns, and the objective after each step."""
    A, mu = centred(X), np.array(mu)
    peak = np.linalg.norm(A, axis=0).max()
    gamma = rho * mu * peak if penalty == "l1" else rho * (mu * peak) ** 2
    Y = polar(A @ eigenvectors(X, len(mu)))
    path = []
    for _ in range(n_iter):
        Z = A.T @ Y * mu
        if penalty == "l1":
            T = np.column_stack([soft(z, g) for z, g in zip(Z.T, gamma, strict=True)])
            path.append((T**2).sum())
        else:
            T = np.column_stack([hard(z, np.sqrt(g)) for z, g in zip(Z.T, gamma, strict=True)])
            path.append(np.maximum(Z**2 - gamma, 0.0).sum())
        Y = polar(A @ T * mu)
    return np.column_stack([unit(t) for t in T.T]), path


def filled(X, W, mu, n_iter=2000):
    A, pattern = centred(X), W != 0
    for _ in range(n_iter):
        Z = A.T @ polar(A @ W * mu) * mu
        W = np.column_stack([unit(z) for z in np.where(pattern, Z, 0.0).T])
    return W


def itspca(X, r, gamma, alpha, rule, n_iter=200):
    """Return an orthonormal basis as columns."""
    n, d = X.shape
    S = centred(X).T @ centred(X)
    S = S / np.median(np.diag(S))
    noise = np.log(max(d, n)) / n
    B = np.flatnonzero(np.diag(S) >= 1 + alpha * np.sqrt(noise))
    if len(B) < r:
        B = np.argsort(-np.diag(S))[:r]
    values, vectors = np.linalg.eigh(S[np.ix_(B, B)])
    Q = np.zeros((d, r))
    Q[B] = vectors[:, ::-1][:, :r]
    levels = gamma * np.sqrt(np.maximum(values[::-1][:r], 1) * noise)
    for _ in range(n_iter):
        T = np.column_stack([rule(t, g) for t, g in zip((S @ Q).T, levels, strict=True)])
        Q = np.linalg.qr(T)[0]
    return Q
