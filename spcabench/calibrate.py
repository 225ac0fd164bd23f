"""Find the penalty for a wanted cardinality: one routine for every penalised method."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Calibration(Generic[T]):
    """What a search found.

    Parameters
    ----------
    penalty : float
        The penalty chosen.
    n_nonzero : int
        The cardinality reached with it.
    result : object
        What the fit returned at that penalty.
    n_fits : int
        How many fits the search made.
    reached : bool
        Whether `n_nonzero` is the target.  A missed target is reported as missed.
    """

    penalty: float
    n_nonzero: int
    result: T
    n_fits: int
    reached: bool


def search_penalty(
    fit: Callable[[float], tuple[int, T]],
    low: float,
    high: float,
    n_nonzero: int,
    max_fits: int = 50,
    rtol: float = 1e-10,
) -> Calibration[T]:
    """Narrow a bracket of penalties until a fit has `n_nonzero` nonzeros.

    Parameters
    ----------
    fit : callable
        ``fit(penalty)`` returns the cardinality and whatever else the caller wants back.  It should not depend
        on earlier calls, so that the result is a function of the penalty.  The cardinality need not be
        monotone in the penalty.
    low, high : float
        The bracket, both finite: penalties with (almost) too many and with (almost) too few nonzeros.
    n_nonzero : int
        The wanted cardinality, at least 1.
    max_fits : int
        The largest number of fits, at least 1.
    rtol : float
        At least 0.  Stop when the bracket is this narrow relative to `high`.

    Returns
    -------
    Calibration
        The first penalty that reaches the target; otherwise the one with the largest cardinality below it;
        otherwise the one with the smallest above.  A fit without nonzeros is the last choice.

    Raises
    ------
    ValueError
        If a number is not valid; the message names what was found and what is valid.
    """
    if not -math.inf < low <= high < math.inf:
        raise ValueError(f"the bracket is [{low}, {high}]; valid are two finite numbers, the smaller first")
    if n_nonzero < 1 or max_fits < 1:
        raise ValueError(f"n_nonzero is {n_nonzero} and max_fits {max_fits}; valid is a whole number from 1")
    best: tuple[tuple[bool, bool, int], float, int, T] | None = None
    end, n_fits = high, 0
    while n_fits < max_fits:
        n_fits += 1
        penalty = 0.5 * (low + high)
        found, result = fit(penalty)
        rank = (found == 0, found > n_nonzero, abs(found - n_nonzero))
        if best is None or rank < best[0]:
            best = (rank, penalty, found, result)
        if found == n_nonzero or high - low <= rtol * abs(end):
            break
        low, high = (penalty, high) if found > n_nonzero else (low, penalty)
    assert best is not None
    _, penalty, found, result = best
    return Calibration(penalty, found, result, n_fits, found == n_nonzero)
