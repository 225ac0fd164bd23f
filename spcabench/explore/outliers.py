"""Outlying rows: which rows lie far away, by robust distances within and from the leading components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, ndtri
from scipy.stats import median_abs_deviation
from sklearn.preprocessing import normalize
from sklearn.utils.extmath import randomized_svd

from spcabench.specs import Array

LEVEL = 0.9999
"""A row is flagged beyond this quantile of its score distance or its orthogonal distance."""
MOST_FLAGGED = 0.03
"""If a larger share of the rows is far away, they are groups or heavy tails rather than outliers."""
LEAST_ROWS = 10
"""Of fewer rows the medians tell no usual distance: none is flagged."""
STEPS = 50
MOST_ROWS = 4000
"""The robust centre and directions are those of so many rows at most, drawn at random."""


def flagged(X: Array, n_components: int) -> NDArray[np.intp]:
    """Return the places of rows that lie far away, the farthest first; none if they are too many to be a few.

    Distances are those of M. Hubert, P. Rousseeuw and K. Vanden Branden, ROBPCA, Technometrics 47, 2005, 64-79, from
    the directions of N. Locantore and others, Robust principal component analysis for functional data, Test 8, 1999.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples, scaled as they are fitted.
    n_components : int
        Of the robust components.
    """
    if len(X) < LEAST_ROWS:
        return np.zeros(0, dtype=np.intp)
    far = np.maximum(*distances(X, n_components))
    found = np.argsort(-far, kind="stable")[: int(np.sum(far > 1))]
    return found if len(found) <= max(1.0, MOST_FLAGGED * len(X)) else found[:0]


def distances(X: Array, n_components: int) -> tuple[Array, Array]:
    """Return the score distance and the orthogonal distance of each row, as multiples of what flags it."""
    some = X if len(X) <= MOST_ROWS else X[np.random.default_rng(0).choice(len(X), MOST_ROWS, replace=False)]
    middle = spatial_median(some)
    V = randomized_svd(normalize(some - middle), n_components, random_state=0)[2].T
    centred = X - middle
    scores = centred @ V
    usual = np.median(scores, axis=0)
    spread = median_abs_deviation(scores, axis=0, scale="normal")
    standard = np.divide(scores - usual, spread, out=np.zeros_like(scores), where=spread > 0)
    score = np.sqrt(np.sum(standard**2, axis=1) / chdtri(V.shape[1], 1 - LEVEL))
    rest = np.linalg.norm(centred - scores @ V.T, axis=1) ** (2 / 3)
    cut = np.median(rest) + ndtri(LEVEL) * median_abs_deviation(rest, scale="normal")
    orthogonal = (rest / cut) ** 1.5 if cut > 0 and rest.max() > 1e-8 else np.zeros(len(X))
    return score, np.asarray(orthogonal)


def spatial_median(X: Array) -> Array:
    """Return the point with the smallest sum of distances to the rows, by Weiszfeld's steps."""
    m = np.median(X, axis=0)
    for _ in range(STEPS):
        norms = np.linalg.norm(X - m, axis=1)
        weights = 1 / np.maximum(norms, 1e-9 * max(float(norms.max()), 1e-300))
        before, m = m, weights @ X / weights.sum()
        if np.linalg.norm(m - before) <= 1e-6 * max(float(np.median(norms)), 1e-300):
            break
    return np.asarray(m)
