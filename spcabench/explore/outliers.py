"""Outlying rows: which rows lie far away, and whether the components depend on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, chdtri, ndtri
from sklearn.preprocessing import normalize

from spcabench.explore.components import directions
from spcabench.explore.judging import matched
from spcabench.explore.wishes import Budget
from spcabench.specs import Array

LEVEL = 0.999
"""A row is flagged beyond this quantile of its score distance or its orthogonal distance."""
MANY = 0.99
"""There are many if normal data have fewer so often."""
CONSISTENT = 1.4826
"""Makes the median absolute deviation of normal values their standard deviation."""
SAME = 0.9
"""A component with a smaller cosine without the flagged rows is another one."""
DRAWS = 20
"""Fits without as many random rows."""
NO_TIME = "The budget has no time for fits without these rows."
MOST_FLAGGED = 0.3
"""If a larger share of the rows is flagged, they are groups rather than outliers."""
STEPS = 50
MOST_ROWS = 4000
"""The robust centre and directions are those of so many rows at most, drawn at random."""


@dataclass(frozen=True)
class Outliers:
    """Rows that lie far away, and what depends on them.

    Parameters
    ----------
    flagged : ndarray of int
        Their places among the samples, the farthest first.
    score, orthogonal : ndarray of shape (n_samples,)
        Distances within and from the robust components, as multiples of what flags a row.
    many : bool
        Whether there are more of them than in normal data.
    cosines : ndarray of shape (n_components,)
        Of each component with that of a fit without the flagged rows; nan if that was not tried.
    moved : ndarray of bool, shape (n_components,)
        Whether it is below 0.9, and below those of all fits without as many random rows.
    note : str
        Why it was not tried.
    """

    flagged: NDArray[np.int64]
    score: Array
    orthogonal: Array
    many: bool
    cosines: Array
    moved: NDArray[np.bool_]
    note: str = ""


def outliers(X: Array, whole: Array, fit: Callable[[Array], Array], seconds: float, budget: Budget) -> Outliers:
    """Flag rows by robust distances, and fit without them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples, scaled as they are fitted.
    whole : ndarray of shape (n_components, n_features)
        The loadings of all samples.
    fit : callable
        Returns the loadings of samples.
    seconds : float
        That a fit takes.
    budget : Budget
        Bounds how many fits are made.

    Notes
    -----
    Distances are those of M. Hubert, P. Rousseeuw and K. Vanden Branden, ROBPCA, Technometrics 47, 2005, 64-79, from
    the directions of N. Locantore and others, Robust principal component analysis for functional data, Test 8, 1999.
    """
    r = len(whole)
    score, orthogonal = distances(X, r)
    far = np.maximum(score, orthogonal)
    flagged = np.argsort(-far, kind="stable")[: int(np.sum(far > 1))]
    many = bdtr(len(flagged) - 1, len(X), 2 * (1 - LEVEL)) >= MANY if len(flagged) else False
    unknown = Outliers(flagged, score, orthogonal, bool(many), np.full(r, np.nan), np.zeros(r, dtype=bool))
    if not len(flagged) or len(flagged) > MOST_FLAGGED * len(X):
        return unknown
    if budget.left <= (1 + DRAWS) * seconds:
        return replace(unknown, note=NO_TIME)
    random = np.random.default_rng(0)
    drawn = [random.choice(len(X), len(flagged), replace=False) for _ in range(DRAWS)]
    cosines, *others = (_cosines(whole, fit(np.delete(X, rows, axis=0))) for rows in (flagged, *drawn))
    moved = (cosines < SAME) & (cosines < np.min(others, axis=0))
    return Outliers(flagged, score, orthogonal, bool(many), cosines, moved)


def distances(X: Array, n_components: int) -> tuple[Array, Array]:
    """Return the score distance and the orthogonal distance of each row, as multiples of what flags it."""
    some = X if len(X) <= MOST_ROWS else X[np.random.default_rng(0).choice(len(X), MOST_ROWS, replace=False)]
    middle = spatial_median(some)
    V = directions(normalize(some - middle), n_components).T
    centred = X - middle
    scores = centred @ V
    usual = np.median(scores, axis=0)
    spread = CONSISTENT * np.median(np.abs(scores - usual), axis=0)
    standard = np.divide(scores - usual, spread, out=np.zeros_like(scores), where=spread > 0)
    score = np.sqrt(np.sum(standard**2, axis=1) / chdtri(V.shape[1], 1 - LEVEL))
    rest = np.linalg.norm(centred - scores @ V.T, axis=1) ** (2 / 3)
    centre = np.median(rest)
    cut = centre + ndtri(LEVEL) * CONSISTENT * np.median(np.abs(rest - centre))
    orthogonal = (rest / cut) ** 1.5 if cut > 0 and rest.max() > 1e-8 else np.zeros(len(X))
    return score, np.asarray(orthogonal)


def spatial_median(X: Array) -> Array:
    """Return the point with the smallest sum of distances to the rows, by Weiszfeld's steps."""
    m = np.median(X, axis=0)
    for _ in range(STEPS):
        norms = np.linalg.norm(X - m, axis=1)
        weights = 1 / np.maximum(norms, 1e-9 * max(float(norms.max()), 1e-300))
        new = weights @ X / weights.sum()
        if np.linalg.norm(new - m) <= 1e-6 * max(float(np.median(norms)), 1e-300):
            return np.asarray(new)
        m = new
    return np.asarray(m)


def _cosines(whole: Array, other: Array) -> Array:
    """Return the cosine of each component with the one of another fit that it is matched with."""
    return np.asarray(np.abs((whole * matched(whole, other, least=0.0)).sum(axis=1)))
