"""How stable: which variables are selected again in halves of the rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from spcabench.explore.fitting import LEAST_HALVES
from spcabench.specs import Array

Support = NDArray[np.bool_]

SAME = 0.5
"""A component of a half is another one if its cosine with that of the whole is smaller."""
STABLE, LEANING = 0.7, 0.5
"""Selection frequencies from which a variable is stable, or leans."""
GOOD, FAIR, NOTHING = 0.75, 0.4, 0.2
"""Values of Kuncheva's index from which a component is stable or intermediate; below the last nothing can be named."""


@dataclass(frozen=True)
class Stability:
    """How alike the supports of halves are.

    Parameters
    ----------
    frequencies : ndarray of shape (n_components, n_features)
        The share of halves in which a component has a variable.
    kuncheva, jaccard : ndarray of shape (n_components,)
        Mean indices of all pairs of halves; nan where they are not defined.
    n_halves : int
        How many halves there were.
    """

    frequencies: Array
    kuncheva: Array
    jaccard: Array
    n_halves: int


def stability(whole: Array, halves: Sequence[Array]) -> Stability:
    """Match the components of halves to those of the whole, and compare their supports.

    Parameters
    ----------
    whole : ndarray of shape (n_components, n_features)
        Unit loadings of all samples.
    halves : sequence of ndarray of the same shape
        Those of halves of the samples.

    Notes
    -----
    Components are matched by the largest sum of absolute cosines.  Kuncheva's index of two supports of size k with c
    variables in common is ``(c d - k^2) / (k (d - k))``: 0 for chance and 1 for equal supports.  Jaccard's is the
    share of what either has that both have.  L. Kuncheva, A stability index for feature selection, Artificial
    Intelligence and Applications, 2007.
    """
    r, d = whole.shape
    if len(halves) < LEAST_HALVES:
        nothing = np.full(r, np.nan)
        return Stability(np.full((r, d), np.nan), nothing, nothing, 0)
    supports = np.array([matched(whole, half) for half in halves]) != 0
    return Stability(
        frequencies=supports.mean(axis=0),
        kuncheva=np.array([_mean_of_pairs(supports[:, j], kuncheva) for j in range(r)]),
        jaccard=np.array([_mean_of_pairs(supports[:, j], jaccard) for j in range(r)]),
        n_halves=len(halves),
    )


def word(frequency: float) -> str:
    """Return what a selection frequency says of a variable; empty if it is not known."""
    if np.isnan(frequency):
        return ""
    return "stable" if frequency >= STABLE else "leaning" if frequency >= LEANING else "not supported"


def verdict(index: float) -> str:
    """Return what Kuncheva's index says of a component."""
    if np.isnan(index):
        return "not judged"
    if index < NOTHING:
        return "no variable can be named"
    return "stable" if index >= GOOD else "intermediate" if index >= FAIR else "poor"


def matched(whole: Array, other: Array, least: float = SAME) -> Array:
    """Return the components of another fit in the order of the whole; zero where none has a cosine of `least`."""
    cosines = np.abs(whole @ other.T)
    rows, columns = linear_sum_assignment(-cosines)
    found = np.zeros_like(whole)
    for row, column in zip(rows, columns, strict=True):
        if cosines[row, column] >= least:
            found[row] = other[column]
    return found


def kuncheva(a: Support, b: Support) -> float:
    """Return Kuncheva's index of two supports; of unequal sizes with the expected overlap and the largest possible.

    Examples
    --------
    >>> kuncheva(np.array([True, True, False, False]), np.array([True, False, True, False]))
    0.0
    """
    expected = a.sum() * b.sum() / len(a)
    largest = min(a.sum(), b.sum())
    return float((np.sum(a & b) - expected) / (largest - expected)) if largest > expected else np.nan


def jaccard(a: Support, b: Support) -> float:
    """Return the share of what either support has that both have.

    Examples
    --------
    >>> jaccard(np.array([True, True, False]), np.array([True, False, False]))
    0.5
    """
    either = np.sum(a | b)
    return float(np.sum(a & b) / either) if either else np.nan


def _mean_of_pairs(supports: Support, index: Callable[[Support, Support], float]) -> float:
    values = [index(a, b) for a, b in itertools.combinations(supports[supports.any(axis=1)], 2)]
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
