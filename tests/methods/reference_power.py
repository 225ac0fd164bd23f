"""The power methods as written in their papers: slow, on samples, one obvious step after another."""

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
    return np.sign(v) * np.maximum(np.abs(v) - t, 0.0)


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


def signed(rows):
    return np.array([with_sign(w) for w in rows])


def unit(w):
    return w / np.linalg.norm(w) if np.any(w) else w


def polar(M):
    U, _, Vt = np.linalg.svd(M, full_matrices=False)
    return U @ Vt


def largest_variance(A):
    return np.eye(A.shape[1])[np.argmax((A**2).sum(axis=0))]


def leading(A):
    return np.linalg.svd(A)[2][0]


def climbed(X, r, start, rule, n_iter=500, refit=False):
    """Truncate products with S of the vector before, and begin again in what each loading leaves."""
    A, rows = centred(X), []
    for _ in range(r):
        w = start(A)
        for _ in range(n_iter):
            w = unit(rule(A.T @ (A @ w), A, w))
        if refit:
            w[w != 0] = leading(A[:, w != 0])
        rows.append(with_sign(w))
        A = A - np.outer(A @ w, w)
    return np.array(rows)


def gpower(X, penalty, rho, r, refit=False):
    """Threshold the products of the samples with a score of unit length."""

    def rule(z, A, w):
        largest = np.linalg.norm(A, axis=0).max()
        threshold, level = (soft, rho) if penalty == "l1" else (hard, np.sqrt(rho))
        return threshold(z / np.linalg.norm(A @ w), level * largest)

    return climbed(X, r, largest_variance, rule, refit=refit)


def rsvd(X, rule, k, r):
    """Threshold at the magnitude after the k largest."""
    return climbed(X, r, leading, lambda z, A, w: rule(z, sorted(np.abs(z))[::-1][k] if k < len(z) else 0.0))


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


def inverse_power_loop(A, gamma, f, n_iter=500):
    for _ in range(n_iter):
        f = f / np.linalg.norm(A @ f)
        f = soft(ratio(A, f, gamma) * (A.T @ (A @ f)), gamma)
    return f


def inverse_power(X, gamma, r):
    """Deflate by scores: X becomes (I - u u')X."""
    A, rows = centred(X), []
    for _ in range(r):
        support = np.flatnonzero(inverse_power_loop(A, gamma, largest_variance(A)))
        w = np.zeros(A.shape[1])
        w[support] = leading(A[:, support])
        rows.append(with_sign(w))
        u = unit(A @ w)
        A = A - np.outer(u, u @ A)
    return np.array(rows)
