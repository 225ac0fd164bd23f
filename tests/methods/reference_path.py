"""The coordinate-pairwise path as published: every pair, every step, gradients made afresh."""

import numpy as np
from reference_greedy import leading
from reference_power import with_sign


def pairwise_path(S, n_steps, stop=1, m=None, amended=False, start=None):
    """Return all iterates w(0), w(1), ... and the pairs, gains and lengths of the steps between."""
    w = np.linalg.eigh(S)[1][:, -1] if start is None else start
    w = np.where(np.abs(w) < 1e-12, 0.0, w)
    epsilon = (np.abs(w).sum() ** 2 - 1.0) / n_steps
    iterates, steps = [w], []
    while np.count_nonzero(w) > stop:
        i, j, gain, eta = best_pair(S, w, epsilon, m, amended)
        sign = np.sign(w)
        w = w.copy()
        if abs(w[j]) <= eta:
            eta = abs(w[j])
        w[i] += sign[i] * eta
        w[j] = 0.0 if eta == abs(w[j]) else w[j] - sign[j] * eta
        iterates.append(w)
        steps.append((i, j, gain, eta))
    return iterates, steps


def best_pair(S, w, epsilon, m, amended):
    active = np.flatnonzero(w)
    by_size = sorted(active, key=lambda i: abs(w[i]))
    m = len(active) if m is None else m
    growing, shrinking = by_size[-m:], by_size[:m]
    g, s = S @ w, np.sign(w)
    best = (-np.inf, 0, 0, 0.0)
    for i in sorted(growing):
        for j in sorted(shrinking):
            D = abs(w[i]) - abs(w[j])
            if i == j or D < 0.0:
                continue
            eta = epsilon / (np.sqrt(D**2 + 2 * epsilon) + D)
            if amended:
                eta = min(eta, abs(w[j]))
            gain = 2 * (s[i] * g[i] - s[j] * g[j]) * eta + (S[i, i] + S[j, j] - 2 * s[i] * s[j] * S[i, j]) * eta**2
            if gain > best[0]:
                best = (gain, i, j, eta)
    gain, i, j, eta = best
    return i, j, gain, eta


def first_of_cardinality(iterates, k):
    return next(w for w in iterates if np.count_nonzero(w) <= k)


def refitted(S, w):
    return with_sign(leading(S, np.flatnonzero(w)))
