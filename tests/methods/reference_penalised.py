"""The penalised methods as written in their papers: slow, one obvious step after another."""

from __future__ import annotations

import numpy as np
from reference_power import centred, deflated, largest


def soft(v, t):
    return np.sign(v) * np.maximum(np.abs(v) - t, 0.0)


def bounded(z, bound):
    """Find the unit vector of largest product with z under an l1 bound, by bisection of the soft threshold."""
    w = z / np.linalg.norm(z)
    low, high = 0.0, np.abs(z).max()
    if np.abs(w).sum() <= bound:
        return w
    for _ in range(60):
        middle = (low + high) / 2
        w = soft(z, middle)
        if w.any() and np.abs(w).sum() > bound * np.linalg.norm(w):
            low = middle
        else:
            high = middle
    w = soft(z, low)
    return w / np.linalg.norm(w)


def scotlass(X, bound, r, n_iter=200):
    def find(A):
        w = np.linalg.svd(A)[2][0]
        for _ in range(n_iter):
            w = bounded(A.T @ (A @ w), bound)
        return w

    return deflated(centred(X), find, r)


def pmd(X, bound, r, orth, n_iter=200):
    """Keep the scores orthogonal to those before, without deflation, or deflate by d u v'."""
    A = centred(X)
    rows, scores = [], []
    for _ in range(r):
        U = np.array(scores).T.reshape(len(A), -1)
        v = np.linalg.svd(A - U @ (U.T @ A))[2][0]
        for _ in range(n_iter):
            u = A @ v
            u = u - U @ (U.T @ u)
            u = u / np.linalg.norm(u)
            v = bounded(A.T @ u, bound)
        rows.append(v * np.sign(v[np.argmax(np.abs(v))]))
        if orth:
            scores.append(u)
        else:
            A = A - (u @ A @ v) * np.outer(u, v)
    return np.array(rows)


def dcpca(X, rho, r, eps=1e-3, n_iter=1000):
    def find(A):
        w = np.linalg.svd(A)[2][0]
        for _ in range(n_iter):
            z = A.T @ (A @ w)
            threshold = rho / np.log(1 + 1 / eps) / 2 / (np.abs(w) + eps)
            w = soft(z, threshold)
            w = w / np.linalg.norm(w)
        return w

    return deflated(centred(X), find, r)


def empca(X, k, r, nonnegative=False, n_iter=1000):
    """From the leading eigenvector; deflation by the part of each loading orthogonal to those before."""
    A = centred(X)
    rows, Q = [], np.zeros((A.shape[1], 0))
    for _ in range(r):
        w = np.linalg.svd(A)[2][0]
        w = np.abs(w) if nonnegative else w
        for _ in range(n_iter):
            v = A.T @ (A @ w)
            v = np.maximum(v, 0) if nonnegative else v
            w = soft(v, sorted(np.abs(v))[::-1][k]) if k < len(v) else v
            w = w / np.linalg.norm(w)
        support = np.flatnonzero(w)
        for _ in range(2000):
            v = A[:, support].T @ (A @ w)
            w[support] = np.maximum(v, 0) if nonnegative else v
            w = w / np.linalg.norm(w)
        rows.append(w * np.sign(w[np.argmax(np.abs(w))]))
        q = w - Q @ (Q.T @ w)
        q = q / np.linalg.norm(q)
        Q = np.column_stack([Q, q])
        A = A - np.outer(A @ q, q)
    return np.array(rows)


def elastic_net(C, g, ridge, l1, n_iter=3000):
    """Minimise ``b'(C + ridge I) b - 2 g'b + l1 |b|_1`` over one coordinate after another."""
    b = np.zeros(len(g))
    for _ in range(n_iter):
        old = b.copy()
        for i in range(len(g)):
            others = C[i] @ b - C[i, i] * b[i]
            b[i] = soft(g[i] - others, l1 / 2) / (C[i, i] + ridge)
        if np.abs(b - old).max() < 1e-15:
            break
    return b


def elastic_net_of_cardinality(C, g, ridge, k):
    """Find the smallest penalty that leaves k nonzeros, by bisection."""
    low, high = 0.0, 2 * np.abs(g).max()
    for _ in range(60):
        middle = (low + high) / 2
        if np.count_nonzero(elastic_net(C, g, ridge, middle)) > k:
            low = middle
        else:
            high = middle
    b = elastic_net(C, g, ridge, high)
    return np.where(np.abs(b) > 1e-10 * np.abs(b).max(), b, 0.0)


def spca(X, regress, r, n_iter):
    """Alternate regressions ``regress(C, g)`` and the rotation of the components."""
    A0 = centred(X)
    C = A0.T @ A0
    A = np.linalg.svd(A0)[2][:r].T
    for _ in range(n_iter):
        B = np.array([regress(C, C @ a) for a in A.T]).T
        U, _, Vt = np.linalg.svd(C @ B, full_matrices=False)
        A = U @ Vt
    rows = (B / np.linalg.norm(B, axis=0)).T
    return np.array([w * np.sign(w[np.argmax(np.abs(w))]) for w in rows])


def soft_of_cardinality(g, k):
    return soft(g, sorted(np.abs(g))[::-1][k]) if k < len(g) else largest(g, k)
