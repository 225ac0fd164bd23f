"""The alternating methods as their papers write them: one start, samples, one obvious step after another."""

import numpy as np
from reference_penalised import bounded
from reference_power import hard, largest, polar, soft, unit


def centred(X):
    return X - X.mean(axis=0)


def sparse(v, formulation, level):
    if formulation == "l0c":
        return largest(v, int(level))
    if formulation == "l1c":
        return bounded(v, level)
    return hard(v, np.sqrt(level)) if formulation == "l0p" else soft(v, level)


def deviation(X, w, variance):
    scores = X @ w
    return np.sqrt(np.mean(scores**2)) if variance == "l2" else np.mean(np.abs(scores))


def objective(X, w, variance, formulation, level):
    f = deviation(X, w, variance)
    if formulation == "l0p":
        return f**2 - level * np.count_nonzero(w)
    return f - level * np.abs(w).sum() if formulation == "l1p" else f


def path(X, w, variance, formulation, level, n_iter):
    """Return loadings after 1, 2, ... alternations from w, of centred samples."""
    n, found = len(X), []
    for _ in range(n_iter):
        scores = X @ w
        y = scores / np.linalg.norm(scores) * np.sqrt(n) if variance == "l2" else np.where(scores >= 0, 1.0, -1.0)
        w = sparse(X.T @ y / n, formulation, level)
        w = unit(w)
        found.append(w)
    return found


def varpro(X, r, alpha, beta, n_iter, penalty="l1", gamma=np.inf):
    """Return B and the objectives of the iterations, over n; penalties relative to the largest squared singular value.

    With a finite gamma, relative to the root of the mean square, entries far off are outliers, which are set aside.
    """
    n, top = len(X), np.linalg.svd(X)[1][0] ** 2 / len(X)
    alpha, beta, gamma = alpha * top, beta * top, gamma * np.sqrt(np.mean(X**2))
    B, reached = np.linalg.svd(np.clip(X, -gamma, gamma))[2][:r].T, []
    A, step = B, 1 / (top + beta)
    for _ in range(n_iter):
        O = soft(X - X @ B @ A.T, gamma)
        A = polar((X - O).T @ X @ B)
        Z = B - step * (X.T @ (X @ B - (X - O) @ A) / n + beta * B)
        B = np.array([soft(z, step * alpha) if penalty == "l1" else hard(z, np.sqrt(2 * step * alpha)) for z in Z])
        O = soft(X - X @ B @ A.T, gamma)
        cost = np.abs(B).sum() if penalty == "l1" else np.count_nonzero(B)
        set_aside = gamma * np.abs(O).sum() if O.any() else 0.0
        loss = np.linalg.norm(X - X @ B @ A.T - O) ** 2 / 2 + set_aside
        reached.append(loss / n + alpha * cost + beta / 2 * np.linalg.norm(B) ** 2)
    return B, np.array(reached)
