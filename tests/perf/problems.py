"""The five data sets on which speeds are compared, and scikit-learn's sparse PCA fitted to each."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import SparsePCA
from spcabench_datasets import covariances, hastie, spiked

from spcabench.perf.bench import cpev

Array = NDArray[np.float64]

N_COMPONENTS = 5
ALPHA = {"pitprops 13": 3.0, "hastie 180": 300.0, "500 x 2000": 5.0, "5000 x 1000": 10.0, "100 x 20000": 5.0}
"""Penalties of SparsePCA, found beforehand: about as many nonzeros as the data are made of, no component empty."""
SIZES = tuple(ALPHA)


@cache
def samples(size: str) -> Array:
    """Draw centred samples: of pitprops 180 with exactly its covariance, of the last three with five sparse spikes."""
    rng = np.random.default_rng(0)
    if size == "pitprops 13":
        S = covariances.load_pitprops(rng).covariance
        white = rng.standard_normal((180, len(S)))
        white = np.linalg.qr(white - white.mean(axis=0))[0] * np.sqrt(len(white))
        X = white @ np.linalg.cholesky(S).T
    elif size == "hastie 180":
        X = hastie.load_hastie(rng, 180, 5000, 1.0, None, 0.05, 0).X
    else:
        n, d = map(int, size.split(" x "))
        spikes = np.array([40.0, 30.0, 20.0, 15.0, 10.0]) * max(1.0, d / n / 20.0)
        X = spiked.load_spiked(rng, n, d, spikes, cardinality(d), 1.0, 0).X
    X = X - X.mean(axis=0)
    X.flags.writeable = False
    return X


def cardinality(d: int) -> int:
    """Return the nonzeros that a component shall have: the square root of d."""
    return int(np.ceil(np.sqrt(d)))


class Baseline(NamedTuple):
    """SparsePCA by coordinate descent, the faster of its two solvers, at the penalty found.

    Parameters
    ----------
    estimator : SparsePCA
        Fitted.
    counts : list of int
        Nonzeros of its components, in the order of their variances: what the other methods are asked for.
    cpev : float
    """

    estimator: SparsePCA
    counts: list[int]
    cpev: float


@cache
def baseline(size: str) -> Baseline:
    """Fit SparsePCA, and ask no more of the others than the nonzeros that it has."""
    X = samples(size)
    found = SparsePCA(N_COMPONENTS, alpha=ALPHA[size], method="cd", random_state=0).fit(X)
    W = found.components_
    order = np.argsort(-((X @ W.T) ** 2).sum(axis=0))
    return Baseline(found, [int(k) for k in np.count_nonzero(W, axis=1)[order]], cpev(X, W))
