"""Where a curve of variance against nonzeros bends, and which point has the best index of sparseness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Point:
    """A fit on the curve.

    Parameters
    ----------
    nonzeros : float
        Of a component, in the mean.
    variance, adjusted : float
        CPEV and adjusted variance, as shares of the total.
    """

    nonzeros: float
    variance: float
    adjusted: float


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
    many principal components (Trendafilov 2014).

    Parameters
    ----------
    points : sequence of Point
        Of one method.
    n_features : int
        The number d.
    dense : float
        V_o, a share like the others.
    """
    values = [p.adjusted * p.variance / dense**2 * (1 - p.nonzeros / n_features) for p in points]
    return points[int(np.argmax(values))].nonzeros if values else float("nan")
