"""Count the proved optima of random covariances of seven kinds that methods find by default.

::

    python tools/kinds.py SEED NUMBER

It draws NUMBER covariances of each kind, and prints a table in CSV.  An instance counts if branch and bound proves its
optimum within a few seconds.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import toeplitz
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from snapshots import Row
from spcabench_methods import RSVD, GPower, PathSPCA, Splicing, TPower
from spcabench_methods.certified.search import Search
from spcabench_methods.core.base import MomentComponents
from spcabench_methods.core.moments import Gram

Array = NDArray[np.float64]

TOL, SECONDS, NODES = 1e-7, 3.0, 3000
"""The gap at which an optimum is proved, and the limits of a proof."""
FOUND = 1e-6
"""How much less of the optimum still counts as found, as a share."""

METHODS: dict[str, Callable[[int], MomentComponents]] = {
    "tpower": lambda k: TPower(1, k, covariance="precomputed"),
    "gpower_l0": lambda k: GPower(1, k, penalty="l0", covariance="precomputed"),
    "gpower_l1": lambda k: GPower(1, k, penalty="l1", covariance="precomputed"),
    "rsvd_l0": lambda k: RSVD(1, k, penalty="l0", covariance="precomputed"),
    "splicing": lambda k: Splicing(1, k, covariance="precomputed"),
    "pathspca": lambda k: PathSPCA(1, k, covariance="precomputed"),
}


class Instance(NamedTuple):
    """A covariance, a cardinality, and the largest variance of so many features."""

    kind: str
    S: Array
    k: int
    optimum: float


def of_samples(X: Array, correlated: bool = False) -> Array:
    """Return the covariance of samples, or the correlation."""
    X = X - X.mean(axis=0)
    if correlated:
        X /= np.sqrt((X**2).mean(axis=0))
    return X.T @ X / len(X)


def spiked(rng: np.random.Generator, d: int, k: int) -> Array:
    """Draw samples of noise and some sparse directions of larger variance."""
    n = int(rng.integers(d, 10 * d))
    X = rng.standard_normal((n, d))
    for _ in range(rng.integers(1, 5)):
        features = rng.choice(d, min(d, int(rng.integers(k, 2 * k + 1))), replace=False)
        weights = rng.uniform(0.5, 1.5, len(features))
        X[:, features] += rng.uniform(1.0, 3.0) * rng.standard_normal((n, 1)) * weights / np.linalg.norm(weights)
    return of_samples(X)


def counts(rng: np.random.Generator, d: int, k: int) -> Array:
    """Draw the correlation of whole numbers with few hidden factors."""
    n = int(rng.integers(d, 10 * d))
    rates = rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) * 0.5 + rng.standard_normal(d)
    X = rng.poisson(np.exp(rates)).astype(float)
    return of_samples(X[:, X.std(axis=0) > 0.0], correlated=True)


def decoys(rng: np.random.Generator, d: int, k: int) -> Array:
    """Draw a direction of variance 1 with k nonzeros, and features outside it of variance .9, with noise or without."""
    order = rng.permutation(d)
    v = np.zeros(d)
    v[order[:k]] = rng.choice([-1.0, 1.0], k) / np.sqrt(k)
    S = np.outer(v, v)
    outside = order[k : k + 10]
    S[outside, outside] = 0.9
    noise = np.triu(rng.standard_normal((d, d)) * rng.choice([0.0, 1e-3]), 1)
    values, vectors = np.linalg.eigh(S + noise + noise.T)
    return S if not noise.any() else np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)


def blocks(rng: np.random.Generator, d: int, k: int) -> Array:
    """Draw samples of blocks of features that share a score, all of one strength."""
    n, m = int(rng.integers(d, 10 * d)), int(rng.integers(2, max(3, d // k + 1)))
    scores = rng.standard_normal((n, m))
    return of_samples(rng.standard_normal((n, d)) + rng.uniform(0.5, 1.5) * scores[:, np.arange(d) % m])


def toeplitzes(rng: np.random.Generator, d: int, k: int) -> Array:
    """Draw a stationary covariance, whose features are in random order, with variances that differ in half of them."""
    lags = np.arange(d)
    S = toeplitz(rng.uniform(0.3, 0.95) ** lags * np.cos(rng.uniform(0.0, 1.0) * rng.integers(2) * lags))
    s = rng.uniform(0.8, 1.2, d) if rng.integers(2) else np.ones(d)
    order = rng.permutation(d)
    return np.asarray((s[:, None] * S * s)[np.ix_(order, order)])


def low_rank(rng: np.random.Generator, d: int, k: int) -> Array:
    """Draw a few dense directions of falling variances, and noise."""
    r = int(rng.integers(2, 9))
    A = rng.standard_normal((d, r)) * np.arange(1, r + 1) ** -0.5
    return np.asarray(A @ A.T + rng.uniform(0.05, 0.5) * np.eye(d))


def resampled(rng: np.random.Generator, d: int, k: int) -> Array:
    """Draw columns of a real table, with replacement and a little noise; half of the time the correlation."""
    X = rng.choice([load_wine, load_breast_cancer, load_digits])().data
    X = X[rng.integers(len(X), size=len(X))]
    X = X[:, X.std(axis=0) > 0.0]
    X = (X / X.std(axis=0))[:, rng.integers(X.shape[1], size=d)]
    return of_samples(X + rng.uniform(0.05, 0.5) * rng.standard_normal(X.shape), correlated=bool(rng.integers(2)))


KINDS = {
    "spiked": spiked,
    "counts": counts,
    "decoys": decoys,
    "blocks": blocks,
    "toeplitz": toeplitzes,
    "low rank": low_rank,
    "resampled": resampled,
}


def instances(seed: int, number: int) -> Iterator[Instance]:
    """Draw covariances of 15 to 300 features with 3 to 20 nonzeros, and yield those whose optimum is proved."""
    for index, (kind, draw) in enumerate(KINDS.items()):
        for i in range(number):
            rng = np.random.default_rng([seed, index, i])
            d = int(np.exp(rng.uniform(np.log(15), np.log(300))))
            k = int(rng.integers(3, min(20, d // 2) + 1))
            S = draw(rng, max(d, k + 10), k)
            search = Search(Gram(S), k, TOL / 2)
            search.run(NODES, SECONDS)
            if search.upper_bound <= search.value * (1.0 + TOL):
                yield Instance(kind, S, k, search.value)


def lack(method: Callable[[int], MomentComponents], instance: Instance) -> float:
    """Return by what share a method falls short of an optimum."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        w = method(instance.k).fit(instance.S).components_[0]
    return 1.0 - float(w @ instance.S @ w) / instance.optimum if np.count_nonzero(w) <= instance.k else 1.0


def rows(seed: int, number: int) -> Iterator[Row]:
    """Yield the optima that each method finds of each kind, and how far it falls short, in %."""
    drawn = list(instances(seed, number))
    for name, method in METHODS.items():
        lacks = np.array([lack(method, instance) for instance in drawn])
        kinds = np.array([instance.kind for instance in drawn])
        for kind in (*KINDS, "all"):
            own = lacks[kinds == kind] if kind != "all" else lacks
            if not len(own):
                continue
            yield {
                "method": name,
                "kind": kind,
                "proved": str(len(own)),
                "found": str(int(np.sum(own <= FOUND))),
                "mean": f"{100 * max(0.0, own.mean()):.3f}",
                "worst": f"{100 * max(0.0, own.max()):.1f}",
            }


if __name__ == "__main__":
    seed, number = map(int, sys.argv[1:])
    for row in rows(seed, number):
        print(*row.values(), sep=",")
