"""Which method, by held-out variance; where its curve bends; and which variables halves find again."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from spcabench.analysis.best import may_be_best
from spcabench.explore.fitting import LEAST_HALVES
from spcabench.specs import Array

MARGIN = 0.001
"""The smallest difference of a share of variance that matters."""

Support = NDArray[np.bool_]

SAME = 0.5
"""A component of a half is another one if its cosine with that of the whole is smaller."""
STABLE, LEANING = 0.7, 0.5
"""Selection frequencies from which a variable is stable, or leans."""
GOOD, FAIR, NOTHING = 0.75, 0.4, 0.2
"""Values of Kuncheva's index from which a component is stable or intermediate; below the last nothing can be named."""


@dataclass(frozen=True)
class Reached:
    """What a method reached.

    Parameters
    ----------
    method : str
        Its name.
    held_out, sd : float
        The mean share of the variance of held-out halves, and its standard deviation.
    tied : bool
        Whether the halves do not rule it out as the best.
    seconds : float
        Of a fit to the whole table.
    """

    method: str
    held_out: float
    sd: float
    tied: bool
    seconds: float


@dataclass(frozen=True)
class Winner:
    """The method that is proposed.

    Parameters
    ----------
    method : str
        Of those that may be the best, the one that comes first in the portfolio.
    reached : tuple of Reached
        The largest held-out variance first.
    n_halves : int
        Halves that all of them were fitted to.
    unfinished : tuple of (str, str)
        Methods that cannot be judged, and why.
    """

    method: str
    reached: tuple[Reached, ...]
    n_halves: int
    unfinished: tuple[tuple[str, str], ...]

    @property
    def tied(self) -> tuple[str, ...]:
        """The other methods that may be the best."""
        return tuple(one.method for one in self.reached if one.tied and one.method != self.method)


def winner(methods: Sequence[str], whole: pd.DataFrame, halves: pd.DataFrame, every: pd.DataFrame) -> Winner:
    """Choose a method.

    Parameters
    ----------
    methods : sequence of str
        The most useful first.
    whole, halves : DataFrame
        The cells at the chosen sparsity that reached it: of the whole table, and of its halves.
    every : DataFrame
        All cells, for the reasons of those that did not finish.

    Returns
    -------
    Winner
        Ties go to the method that comes first: it is the simplest.  Without halves the variance of the whole decides.
    """
    values, n_halves = _values(methods, whole, halves)
    tied = may_be_best(values.to_numpy(), MARGIN)
    fits = whole.groupby("method")["fit_time"].first()
    found = [
        Reached(name, float(values[name].mean()), float(values[name].std(ddof=1)), bool(is_tied), float(fits[name]))
        for name, is_tied in zip(values.columns.map(str), tied, strict=True)
    ]
    chosen = next(one.method for one in found if one.tied)
    reasons = {str(row.method): str(row.reason) or str(row.status) for row in every.itertuples()}
    unfinished = tuple((name, reasons.get(name, "")) for name in methods if name not in values)
    return Winner(chosen, tuple(sorted(found, key=lambda one: -one.held_out)), n_halves, unfinished)


def _values(methods: Sequence[str], whole: pd.DataFrame, halves: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return what methods are judged by, a row for each half that all were fitted to, and how many these are."""
    known = set(whole["method"])
    if len(halves):
        held_out = halves.pivot_table(index="seed", columns="method", values="cpev_test")
        enough = held_out.columns[held_out.notna().sum() >= LEAST_HALVES]
        held_out = held_out[[name for name in methods if name in known and name in enough]].dropna()
        if len(held_out) >= LEAST_HALVES and held_out.shape[1]:
            return held_out, len(held_out)
    own = whole.pivot_table(index="seed", columns="method", values="cpev")
    return own[[name for name in methods if name in own]], 0


@dataclass(frozen=True)
class Bend:
    """Where a curve bends.

    Parameters
    ----------
    nonzeros : float
        The point farthest above the straight line from the first point to the last.
    before, after : float
        What a further nonzero adds before it and after it, as a share of the variance.
    """

    nonzeros: float
    before: float
    after: float


def elbow(points: Sequence[tuple[float, float]]) -> Bend | None:
    """Return where a curve bends, whose points are nonzeros and variance; None if it has fewer than three.

    Examples
    --------
    >>> elbow([(1, 0.2), (3, 0.6), (9, 0.66)])
    Bend(nonzeros=3.0, before=0.2, after=0.01)
    """
    if len(points) < 3:
        return None
    x, y = np.array(sorted(points)).T
    slope = (y[-1] - y[0]) / (x[-1] - x[0])
    place = int(np.argmax(y - y[0] - slope * (x - x[0])))
    before = (y[place] - y[0]) / (x[place] - x[0]) if place else slope
    after = (y[-1] - y[place]) / (x[-1] - x[place]) if place < len(x) - 1 else slope
    return Bend(float(x[place]), round(float(before), 6), round(float(after), 6))


@dataclass(frozen=True)
class Stability:
    """How alike the supports of halves are.

    Parameters
    ----------
    frequencies : ndarray of shape (n_components, n_features)
        The share of halves in which a component has a variable.
    kuncheva : ndarray of shape (n_components,)
        Mean index of all pairs of halves; nan where it is not defined.
    n_halves : int
        How many halves there were.
    """

    frequencies: Array
    kuncheva: Array
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
    variables in common is ``(c d - k^2) / (k (d - k))``: 0 for chance and 1 for equal supports.  L. Kuncheva, A
    stability index for feature selection, Artificial Intelligence and Applications, 2007.
    """
    r, d = whole.shape
    if len(halves) < LEAST_HALVES:
        return Stability(np.full((r, d), np.nan), np.full(r, np.nan), 0)
    supports = np.array([matched(whole, half) for half in halves]) != 0
    return Stability(
        frequencies=supports.mean(axis=0),
        kuncheva=np.array([_mean_kuncheva(supports[:, j]) for j in range(r)]),
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


def _mean_kuncheva(supports: Support) -> float:
    values = [kuncheva(a, b) for a, b in itertools.combinations(supports[supports.any(axis=1)], 2)]
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
