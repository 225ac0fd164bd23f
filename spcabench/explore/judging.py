"""Which method, by held-out variance at the chosen sparsity; and where its curve of variance bends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from spcabench.analysis.best import may_be_best
from spcabench.explore.fitting import LEAST_HALVES, Point

MARGIN = 0.001
"""The smallest difference of a share of variance that matters."""


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


def elbow(points: Sequence[Point]) -> Bend | None:
    """Return where a curve bends; None if it has fewer than three points.

    Examples
    --------
    >>> elbow([Point(1, 0.2, 0.2), Point(3, 0.6, 0.6), Point(9, 0.66, 0.66)])
    Bend(nonzeros=3, before=0.2, after=0.01)
    """
    ordered = sorted(points, key=lambda point: point.nonzeros)
    if len(ordered) < 3:
        return None
    x, y = (np.array([getattr(point, name) for point in ordered]) for name in ("nonzeros", "variance"))
    slope = (y[-1] - y[0]) / (x[-1] - x[0])
    place = int(np.argmax(y - y[0] - slope * (x - x[0])))
    before = (y[place] - y[0]) / (x[place] - x[0]) if place else slope
    after = (y[-1] - y[place]) / (x[-1] - x[place]) if place < len(x) - 1 else slope
    return Bend(ordered[place].nonzeros, round(float(before), 6), round(float(after), 6))


def best_index(points: Sequence[Point], n_features: int, dense: float) -> float:
    """Return the nonzeros at which the index of sparseness is largest; nan without points.

    ``(V_a V_s / V_o^2) (zeros / (d r))`` with the adjusted and the spanned variance of the components and that of as
    many principal components, `dense`; all are shares (Trendafilov 2014).
    """
    values = [p.adjusted * p.variance / dense**2 * (1 - p.nonzeros / n_features) for p in points]
    return points[int(np.argmax(values))].nonzeros if values else float("nan")
