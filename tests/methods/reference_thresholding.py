"""The methods that threshold covariances, as written: one obvious step after another."""

import numpy as np
from reference_greedy import leading
from reference_power import largest, soft


def chosen_by(S, scores, k):
    return leading(S, np.flatnonzero(largest(scores, k)))


def diagonal(S, k):
    return chosen_by(S, np.diag(S), k)


def low_rank(S, k, rank):
    values, vectors = np.linalg.eigh(S)
    approximation = sum(values[-t] * np.outer(vectors[:, -t], vectors[:, -t]) for t in range(1, rank + 1))
    return chosen_by(S, np.diag(approximation), k)


def best_rank(S, k):
    return max((low_rank(S, k, rank) for rank in range(1, 6)), key=lambda w: w @ S @ w)


def thresholded(S, k, tau, noise=0.0):
    T = np.array([soft(row, tau) for row in S - noise * np.eye(len(S))])
    return chosen_by(S, np.linalg.eigh(T)[1][:, -1], k)


def best_of_grid(S, k):
    above = [abs(S[i, j]) for i in range(len(S)) for j in range(i)]
    found = [thresholded(S, k, tau) for tau in (0.0, *np.quantile(above, np.arange(21) / 20))]
    return max(found, key=lambda w: w @ S @ w)
