"""Least squares sparse PCA on explicit samples: a regression or a generalised eigenproblem for every support."""

import numpy as np
from scipy.linalg import eigh, null_space


def residual(X, T):
    """Return what regression on the scores T leaves of X."""
    return X - T @ np.linalg.lstsq(T, X, rcond=None)[0] if T.shape[1] else X


def explained(X, T, w):
    """Return what the score X w explains, by itself, of what the scores T left."""
    Q, t = residual(X, T), (X @ w)[:, None]
    return (np.sum(Q**2) - np.sum(residual(Q, t) ** 2)) / len(X)


def placed(d, support, a):
    w = np.zeros(d)
    w[list(support)] = a / np.linalg.norm(a)
    return w


def correlated(X, T, support):
    support = list(support)
    S, R = X.T @ X, residual(X, T).T @ residual(X, T)
    top = eigh((R @ R)[np.ix_(support, support)], S[np.ix_(support, support)])[1][:, -1]
    return placed(X.shape[1], support, top)


def uncorrelated(X, T, support):
    support = list(support)
    S, R = X.T @ X, residual(X, T).T @ residual(X, T)
    N = null_space(T.T @ X[:, support]) if T.shape[1] else np.eye(len(support))
    numerator, denominator = ((M[np.ix_(support, support)]) for M in (R @ R, S))
    top = eigh(N.T @ numerator @ N, N.T @ denominator @ N)[1][:, -1]
    return placed(X.shape[1], support, N @ top)


def projection(X, T, support):
    leading = np.linalg.svd(residual(X, T))[0][:, 0]
    return placed(X.shape[1], support, np.linalg.lstsq(X[:, list(support)], leading, rcond=None)[0])


VARIANTS = {"uncorrelated": uncorrelated, "correlated": correlated, "projection": projection}


def by_regression(X, T, k):
    leading = np.linalg.svd(residual(X, T))[0][:, :1]
    return added(X, k, lambda support: -np.sum(residual(leading, X[:, support]) ** 2))


def by_variance(X, T, k):
    return added(X, k, lambda support: explained(X, T, correlated(X, T, support)))


SEARCHES = {"regression": by_regression, "variance": by_variance}


def added(X, k, value):
    support = []
    while len(support) < k:
        others = [i for i in range(X.shape[1]) if i not in support]
        support.append(max(others, key=lambda i: value([*support, i])))
    return set(support)
