"""Find the penalty for a wanted cardinality: one routine for every penalised method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Bracket(Generic[T]):
    """Where a search has come to.

    Parameters
    ----------
    low, high : float
        The penalties between which it goes on.
    dense, sparse : tuple of int and object, or None
        The cardinality and the result of the fit at `low`, with more than the wanted nonzeros, and at `high`, with
        fewer; None if there was no fit at that end.
    """

    low: float
    high: float
    dense: tuple[int, T] | None = None
    sparse: tuple[int, T] | None = None

    @property
    def middle(self) -> float:
        """The penalty that halves it."""
        return 0.5 * (self.low + self.high)


def middle(bracket: Bracket[Any]) -> float:
    """Bisect."""
    return bracket.middle


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
    propose: Callable[[Bracket[T]], float | None] = middle,
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
    propose : callable
        ``propose(bracket)`` returns the next penalty within the bracket, by default its middle, or None to stop.  The
        first proposal is always a penalty.

    Returns
    -------
    Calibration
        The first penalty that reaches the target; otherwise the one with the largest cardinality below it;
        otherwise the one with the smallest above.  A fit without nonzeros is the last choice.
    """
    bracket: Bracket[T] = Bracket(low, high)
    best: tuple[tuple[bool, bool, int], float, int, T] | None = None
    n_fits = 0
    while n_fits < max_fits:
        penalty = propose(bracket)
        if penalty is None:
            break
        found, result = fit(penalty)
        n_fits += 1
        rank = (found == 0, found > n_nonzero, abs(found - n_nonzero))
        if best is None or rank < best[0]:
            best = (rank, penalty, found, result)
        if found == n_nonzero or bracket.high - bracket.low <= rtol * abs(high):
            break
        end = (found, result)
        dense = found > n_nonzero
        bracket = replace(bracket, low=penalty, dense=end) if dense else replace(bracket, high=penalty, sparse=end)
    assert best is not None
    _, penalty, found, result = best
    return Calibration(penalty, found, result, n_fits, found == n_nonzero)
