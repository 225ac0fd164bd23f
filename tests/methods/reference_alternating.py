"""The alternating methods as their papers write them: one start, samples, one obvious step after another."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq


def centred(X):
    return X - X.mean(axis=0)


def soft(v, t):
    return np.array([np.sign(x) * max(abs(x) - t, 0.0) for x in v])


def nearest_in_l1_ball(v, c):
    """Return the unit soft threshold of v with an l1 norm of c, by a root finder."""

    def scaled(t):
        u = soft(v, t)
        return u / np.linalg.norm(u)

    if np.abs(scaled(0.0)).sum() <= c:
        return scaled(0.0)
    end = np.abs(v).max() * (1 - 1e-13)
    return scaled(brentq(lambda t: np.abs(scaled(t)).sum() - c, 0.0, end, xtol=1e-15))


def sparse(v, formulation, level):
    if formulation == "l0c":
        kept = sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))[: int(level)]
        return np.array([v[i] if i in kept else 0.0 for i in range(len(v))])
    if formulation == "l1c":
        return nearest_in_l1_ball(v, level)
    if formulation == "l0p":
        return np.array([x if x**2 > level else 0.0 for x in v])
    return soft(v, level)


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
        w = w / np.linalg.norm(w)
        found.append(w)
    return found


def polar(M):
    U, _, Vt = np.linalg.svd(M, full_matrices=False)
    return U @ Vt


def varpro_objective(X, A, B, alpha, beta, penalty="l1"):
    """With absolute penalties, over n."""
    cost = np.abs(B).sum() if penalty == "l1" else np.count_nonzero(B)
    loss = np.linalg.norm(X - X @ B @ A.T) ** 2 / (2 * len(X))
    return loss + alpha * cost + beta / 2 * np.linalg.norm(B) ** 2


def varpro(X, r, alpha, beta, n_iter, penalty="l1"):
    """Return B and the objectives of the iterations; penalties relative to the largest squared singular value."""
    values, V = np.linalg.svd(X)[1:]
    top = values[0] ** 2 / len(X)
    alpha, beta = alpha * top, beta * top
    C = X.T @ X / len(X)
    B, reached = V[:r].T, []
    step = 1 / (top + beta)
    for _ in range(n_iter):
        A = polar(C @ B)
        Z = B + step * (C @ (A - B) - beta * B)
        cut = step * alpha
        B = np.sign(Z) * np.maximum(np.abs(Z) - cut, 0) if penalty == "l1" else Z * (np.abs(Z) > np.sqrt(2 * cut))
        reached.append(varpro_objective(X, A, B, alpha, beta, penalty))
    return B, np.array(reached)


def robust_objective(X, A, B, O, alpha, beta, gamma):
    n = len(X)
    loss = np.linalg.norm(X - X @ B @ A.T - O) ** 2 / 2 + gamma * np.abs(O).sum()
    return loss / n + alpha * np.abs(B).sum() + beta / 2 * np.linalg.norm(B) ** 2


def robust_varpro(X, r, alpha, beta, gamma, n_iter):
    n = len(X)
    top = np.linalg.svd(X)[1][0] ** 2 / n
    alpha, beta, gamma = alpha * top, beta * top, gamma * np.sqrt(np.mean(X**2))
    V = np.linalg.svd(np.minimum(np.maximum(X, -gamma), gamma))[2]
    A = B = V[:r].T
    reached = []
    for _ in range(n_iter):
        R = X - X @ B @ A.T
        O = np.sign(R) * np.maximum(np.abs(R) - gamma, 0)
        A = polar((X - O).T @ X @ B)
        gradient = X.T @ (X @ B - (X - O) @ A) / n + beta * B
        Z = B - gradient / (top + beta)
        B = np.sign(Z) * np.maximum(np.abs(Z) - alpha / (top + beta), 0)
        R = X - X @ B @ A.T
        O = np.sign(R) * np.maximum(np.abs(R) - gamma, 0)
        reached.append(robust_objective(X, A, B, O, alpha, beta, gamma))
    return B, np.array(reached)
