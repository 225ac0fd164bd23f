"""SPCAvRP as written: subsets of the features drawn one at a time, all of them compared."""

import itertools

import numpy as np
import scipy.linalg
from reference_power import with_sign


def subsets_in(order, size, random):
    """Draw a subset for each row, by the exchanges that the program makes; returns lists."""
    shares = random.random((size, len(order)))
    found = []
    for row, permutation in enumerate(order):
        for first in range(size):
            other = first + int(shares[first, row] * (len(permutation) - first))
            permutation[first], permutation[other] = permutation[other], permutation[first]
        found.append(permutation[:size].copy())
    return found


def importance(S, size, n_groups, n_draws, r, random):
    d = len(S)
    order, weights = [list(range(d)) for _ in range(n_draws)], np.zeros(d)
    for _ in range(n_groups):
        drawn = subsets_in(order, size, random)
        best = max(drawn, key=lambda P: np.linalg.eigvalsh(S[np.ix_(P, P)])[::-1][:r].sum())
        values, vectors = np.linalg.eigh(S[np.ix_(best, best)])
        values, vectors = values[::-1], vectors[:, ::-1]
        next_one = values[r] if size > r else 0.0
        for t, (place, j) in itertools.product(range(min(r, size)), enumerate(best)):
            weights[j] += (values[t] - next_one) * vectors[place, t] ** 2 / n_groups
    return weights


def orthogonal(S, k, n_groups, n_draws, r, random):
    """Deflate by projection to choose features; then the best loading on them orthogonal to those before."""
    T, rows = S.copy(), []
    for _ in range(r):
        chosen = np.sort(np.argsort(-importance(T, k, n_groups, n_draws, 1, random))[:k])
        basis = np.eye(k) if not rows else scipy.linalg.null_space(np.array(rows)[:, chosen])
        vectors = np.linalg.eigh(basis.T @ S[np.ix_(chosen, chosen)] @ basis)[1]
        w = np.zeros(len(S))
        w[chosen] = basis @ vectors[:, -1]
        rows.append(with_sign(w))
        P = np.eye(len(S)) - np.outer(w, w)
        T = P @ T @ P
    return np.array(rows)
