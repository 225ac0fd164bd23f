"""Greedy, exhaustive and splicing search over supports as described: an eigenvalue problem for every support."""

import numpy as np
from reference_power import largest


def variance(S, support):
    support = sorted(support)
    return np.linalg.eigvalsh(S[np.ix_(support, support)])[-1]


def leading(S, support):
    support = sorted(support)
    w = np.zeros(len(S))
    w[support] = np.linalg.eigh(S[np.ix_(support, support)])[1][:, -1]
    return w


def grown(S, k, value):
    """Add features, from the one of largest variance on; ``value(support, i)`` says which."""
    support = {int(np.argmax(np.diag(S)))}
    while len(support) < k:
        support |= {max(set(range(len(S))) - support, key=lambda i: value(support, i))}
    return support


def approximate(S, k):
    return grown(S, k, lambda support, i: (S[i] @ leading(S, support)) ** 2)


def forward(S, k):
    return grown(S, k, lambda support, i: variance(S, support | {i}))


def backward(S, k):
    support = set(range(len(S)))
    while len(support) > k:
        support -= {max(support, key=lambda i: variance(S, support - {i}))}
    return support


def splice(S, support, rounds=20):
    """Exchange m, m/2, ..., 1 worst and best features, first improvement first."""
    for _ in range(rounds):
        w = leading(S, support)
        value = w @ S @ w
        worst = sorted(support, key=lambda j: w[j] ** 2 * (2 * value - S[j, j]))
        best = sorted(set(range(len(S))) - support, key=lambda i: -abs(S[i] @ w))
        m = min(len(worst), len(best))
        while m and variance(S, support - set(worst[:m]) | set(best[:m])) <= value * (1 + 1e-12):
            m //= 2
        if not m:
            break
        support = support - set(worst[:m]) | set(best[:m])
    return support


def truncated_rows(S, k, refit):
    """Try each row and the leading eigenvector with their k largest entries, and the feature of largest variance."""
    candidates = []
    for v in [np.linalg.eigh(S)[1][:, -1], *S]:
        w = largest(v, k)
        candidates.append(leading(S, np.flatnonzero(w)) if refit else w / np.linalg.norm(w))
    return max([*candidates, np.eye(len(S))[np.argmax(np.diag(S))]], key=lambda w: w @ S @ w)
