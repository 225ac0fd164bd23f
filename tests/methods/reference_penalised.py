"""The penalised methods as written in their papers: slow, one obvious step after another."""

import numpy as np
from reference_power import centred, climbed, leading, polar, signed, soft, unit, with_sign


def bounded(z, bound):
    """Find the unit vector of largest product with z under an l1 bound, by bisection of the soft threshold."""
    if np.abs(unit(z)).sum() <= bound:
        return unit(z)
    low, high = 0.0, np.abs(z).max()
    for _ in range(60):
        middle = (low + high) / 2
        w = unit(soft(z, middle))
        low, high = (middle, high) if np.abs(w).sum() > bound else (low, middle)
    return unit(soft(z, low))


def scotlass(X, bound, r):
    return climbed(X, r, leading, lambda z, A, w: bounded(z, bound), 200)


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
        rows.append(with_sign(v))
        if orth:
            scores.append(u)
        else:
            A = A - (u @ A @ v) * np.outer(u, v)
    return np.array(rows)


def dcpca(X, rho, r, eps=1e-3):
    share = rho / np.log(1 + 1 / eps) / 2
    return climbed(X, r, leading, lambda z, A, w: soft(z, share / (np.abs(w) + eps)), 1000)


def empca(X, k, r, nonnegative=False, n_iter=1000):
    """From the leading eigenvector; deflation by the part of each loading orthogonal to those before."""
    A = centred(X)
    rows, Q = [], np.zeros((A.shape[1], 0))
    for _ in range(r):
        w = np.abs(leading(A)) if nonnegative else leading(A)
        for n in range(n_iter + 2000):
            v = A.T @ (A @ w)
            v = np.maximum(v, 0) if nonnegative else v
            w = unit(soft_of_cardinality(v, k) if n < n_iter else np.where(w != 0, v, 0.0))
        rows.append(with_sign(w))
        q = unit(w - Q @ (Q.T @ w))
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


def spca(X, regress, r, n_iter):
    """Alternate regressions ``regress(C, g)`` and the rotation of the components."""
    A0 = centred(X)
    C = A0.T @ A0
    A = np.linalg.svd(A0)[2][:r].T
    for _ in range(n_iter):
        B = np.array([regress(C, C @ a) for a in A.T]).T
        A = polar(C @ B)
    return signed(unit(b) for b in B.T)


def soft_of_cardinality(g, k):
    return soft(g, sorted(np.abs(g))[::-1][k]) if k < len(g) else g
