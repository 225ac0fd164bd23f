"""The power methods as written in their papers: slow, on samples, one obvious step after another."""

from __future__ import annotations

import numpy as np


def centred(X):
    """Centred samples with X'X = S."""
    return (X - X.mean(axis=0)) / np.sqrt(len(X))


def largest(v, k):
    order = sorted(range(len(v)), key=lambda i: (-abs(v[i]), i))
    kept = np.zeros(len(v))
    for i in order[:k]:
        kept[i] = v[i]
    return kept


def soft(v, t):
    return np.array([np.sign(x) * (abs(x) - t) if abs(x) > t else 0.0 for x in v])


def hard(v, t):
    return np.array([x if abs(x) > t else 0.0 for x in v])


def scad(v, t, a=3.7):
    def rule(x):
        if abs(x) <= 2 * t:
            return np.sign(x) * max(abs(x) - t, 0.0)
        if abs(x) <= a * t:
            return ((a - 1) * x - np.sign(x) * a * t) / (a - 2)
        return x

    return np.array([rule(x) for x in v])


def with_sign(w):
    return w if w[np.argmax(np.abs(w))] >= 0 else -w


def deflated(X, find, r):
    rows = []
    for _ in range(r):
        w = find(X)
        rows.append(with_sign(w))
        X = X - np.outer(X @ w, w)
    return np.array(rows)


def tpower(X, k, r, n_iter=500):
    def find(A):
        C = A.T @ A
        w = np.eye(len(C))[np.argmax(np.diag(C))]
        for _ in range(n_iter):
            w = largest(C @ w, k)
            w = w / np.linalg.norm(w)
        return w

    return deflated(centred(X), find, r)


def gpower(X, penalty, rho, r, n_iter=500, refit=False):
    def find(A):
        norms = np.linalg.norm(A, axis=0)
        x = A[:, np.argmax(norms)] / norms.max()
        gamma = rho * norms.max() if penalty == "l1" else rho * norms.max() ** 2
        for _ in range(n_iter):
            c = A.T @ x
            t = soft(c, gamma) if penalty == "l1" else np.where(c**2 > gamma, c, 0.0)
            x = A @ t / np.linalg.norm(A @ t)
        c = A.T @ x
        z = soft(c, gamma) if penalty == "l1" else np.where(c**2 > gamma, c, 0.0)
        if refit:
            support = np.flatnonzero(z)
            z[support] = np.linalg.svd(A[:, support])[2][0]
        return z / np.linalg.norm(z)

    return deflated(centred(X), find, r)


def rsvd(X, rule, k, r, n_iter=500):
    def find(A):
        u = np.linalg.svd(A)[0][:, 0]
        for _ in range(n_iter):
            y = A.T @ u
            v = rule(y, sorted(np.abs(y))[::-1][k] if k < len(y) else 0.0)
            u = A @ v / np.linalg.norm(A @ v)
        return v / np.linalg.norm(v)

    return deflated(centred(X), find, r)


def adjusted_variances(X, W):
    """Of loadings in rows: from the QR decomposition of the scores."""
    return np.diag(np.linalg.qr(centred(X) @ W.T)[1]) ** 2


def cpev(X, W):
    """Of loadings in rows: the variance in the span of the first 1, 2, ... of them, by projectors."""
    A = centred(X)
    projected = [A @ np.linalg.pinv(W[: m + 1]) @ W[: m + 1] for m in range(len(W))]
    return np.array([np.linalg.norm(P) ** 2 for P in projected]) / np.linalg.norm(A) ** 2


def ratio(A, f, gamma):
    return ((1 - gamma) * np.linalg.norm(f) + gamma * np.abs(f).sum()) / np.linalg.norm(A @ f)


def inverse_power_ratios(A, gamma, f, n_iter=500):
    """Follow the inverse power method from f; return the last vector and the ratio at each step."""
    ratios = [ratio(A, f, gamma)]
    for _ in range(n_iter):
        f = f / np.linalg.norm(A @ f)
        f = soft(ratios[-1] * (A.T @ (A @ f)), gamma)
        ratios.append(ratio(A, f, gamma))
    return f, ratios


def inverse_power(X, gamma, r):
    """Deflate by scores: X becomes (I - u u')X."""
    A, rows = centred(X), []
    for _ in range(r):
        f, _ = inverse_power_ratios(A, gamma, np.eye(A.shape[1])[np.argmax(np.linalg.norm(A, axis=0))])
        support = np.flatnonzero(f)
        w = np.zeros(len(f))
        w[support] = np.linalg.svd(A[:, support])[2][0]
        rows.append(with_sign(w))
        u = A @ w / np.linalg.norm(A @ w)
        A = A - np.outer(u, u @ A)
    return np.array(rows)
