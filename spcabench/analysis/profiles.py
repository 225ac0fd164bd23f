"""How often a method is near the best, or good enough: performance profiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Steps:
    """A share that rises in steps.

    Parameters
    ----------
    at : ndarray of shape (n_steps,)
        Where it rises.
    share : ndarray of shape (n_steps,)
        How large it is from there on, up to 1.
    """

    at: Matrix
    share: Matrix

    def __call__(self, value: float) -> float:
        """Return the share at a value."""
        place = int(np.searchsorted(self.at, value, side="right"))
        return float(self.share[place - 1]) if place else 0.0


def ratios_to_best(costs: Matrix, floor: float = 0.0) -> Matrix:
    """Return the cost of each method on each problem, as a ratio to the least one there.

    Parameters
    ----------
    costs : ndarray of shape (n_problems, n_methods)
        Smaller is better, none negative; infinite is a failure.
    floor : float
        Costs below it count as it, so that a cost of 0 has a ratio.

    Returns
    -------
    ndarray of shape (n_problems, n_methods)
        At least 1; infinite for a failure, and for all methods where all fail.  Without a floor, a cost of 0 is the
        ratio 1, and any other beside it infinite.

    Notes
    -----
    Source: Dolan and More 2002.  A ratio reads against the best only: without it, the order of the others may turn
    (Gould and Scott 2016).
    """
    raised = np.maximum(costs, floor)
    least = raised.min(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where((raised == least) & np.isfinite(raised), 1.0, raised / least)
    return np.where(np.isfinite(raised), found, np.inf)


def shares(values: Matrix) -> Steps:
    """Return on what share of problems a method is at most at each value; failures, infinite, are in no share."""
    known, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    return Steps(known, np.cumsum(counts) / len(values))
