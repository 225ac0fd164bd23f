"""The search for the penalty of a wanted cardinality: one routine for every penalised method, and its results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.truncations.contract import Truncation

if TYPE_CHECKING:
    from spcabench_methods.core.base import Component

T = TypeVar("T")

MAX_FITS = 50
"""The most fits of a search."""
GUESSES = 3
"""So many guesses follow the first."""
GROWTH, MOST_GROWTH = 0.5, 8.0
"""The first power of the ratio of cardinalities by which a penalty moves while none was too large, and the largest.

It doubles at each step."""
NARROW, HALVED = 1e-4, 1e-8
"""How narrow a bracket of penalties becomes that begins with a guess, and one that is halved from the whole range."""
EDGE = 1e-3
"""How closely the smallest penalty that leaves a cardinality is found, as a share of what the search left open."""
MARGIN = 0.1
"""How far a guess lies above the largest entry that it removes, as a share of the gap to the smallest that stays.

Where a threshold shrinks what stays, the smallest one that leaves k nonzeros leaves the most variance."""
MAX_STEPS, AT_REST = 100, 1e-4
"""The most steps to a guess, and the relative change of a threshold that has come to rest."""

ATTRIBUTES = ("exact_cardinality_", "calibrated_params_", "n_fits_")
"""The attributes that an estimator has only after a search."""

Guess = Callable[[T | None], float]
"""``guess(result)`` returns a penalty, at first for None, then for the result of the nearer end of the bracket."""


@dataclass(frozen=True)
class Calibration(Generic[T]):
    """What a search found.

    Parameters
    ----------
    penalty : float
        The penalty chosen.
    n_nonzero : int
        The cardinality that it leaves.
    result : object
        What the fit returned.
    n_fits : int
        How many fits the search made.
    reached : bool
        Whether `n_nonzero` is what was wanted.
    low : float
        The largest penalty below that leaves more, as far as the search knows.
    """

    penalty: float
    n_nonzero: int
    result: T
    n_fits: int
    reached: bool
    low: float


def search_penalty(
    fit: Callable[[float], tuple[int, T]],
    low: float,
    high: float,
    k: int,
    guess: Guess[T] | None = None,
    narrow: float = HALVED,
) -> Calibration[T]:
    """Narrow a bracket of penalties until a fit has k nonzeros, or the cardinality jumps within it.

    The first penalty is a guess.  Up to three more follow, from the end of the bracket whose cardinality is nearer;
    then the bracket is halved.  Where a guess lies outside of the bracket, it is halved as well; but as long as all
    fits left too many, the penalty grows by the ratio of the cardinalities instead.  Without a guess all is halved.

    Parameters
    ----------
    fit : callable
        ``fit(penalty)`` returns the cardinality and a result.  It should not depend on earlier calls.  The cardinality
        need not be monotone in the penalty.
    low, high : float
        Penalties with too many nonzeros, and with too few.
    k : int
        The wanted cardinality.
    guess : callable or None, default=None
    narrow : float
        A bracket this narrow, relative to its upper end, is a jump of the cardinality.

    Returns
    -------
    Calibration
        The first penalty that reaches k; otherwise that with the most nonzeros below k; otherwise that with the fewest
        above.  A fit without nonzeros is the last choice.
    """
    ends: dict[bool, tuple[int, T]] = {}
    growth = GROWTH
    best: Calibration[T] | None = None
    for n_fits in range(1, MAX_FITS + 1):
        nearest = min(ends.values(), key=lambda end: abs(end[0] - k))[1] if ends else None
        penalty = guess(nearest) if guess is not None and n_fits <= 1 + GUESSES else math.nan
        if guess is not None and list(ends) == [True] and not low < penalty < high:
            penalty = low * (ends[True][0] / k) ** growth
            growth = min(2.0 * growth, MOST_GROWTH)
        if not low < penalty < high:
            penalty = 0.5 * (low + high)
        found, result = fit(penalty)
        if best is None or _rank(found, k) < _rank(best.n_nonzero, k):
            best = Calibration(penalty, found, result, n_fits, found == k, low)
        if found == k or high - low <= narrow * abs(high):
            break
        ends[found > k] = (found, result)
        low, high = (penalty, high) if found > k else (low, penalty)
    assert best is not None
    return replace(best, n_fits=n_fits)


def _rank(found: int, k: int) -> tuple[bool, bool, int]:
    return found == 0, found > k, abs(found - k)


def counted(solve: Callable[[float], Component]) -> Callable[[float], tuple[int, Component]]:
    """Return the nonzeros of each component beside it, as searches need them."""

    def fit(penalty: float) -> tuple[int, Component]:
        found = solve(penalty)
        return int(np.count_nonzero(found.loading)), found

    return fit


def single_fit(fit: Callable[[float], tuple[int, T]], penalty: float, k: int) -> Calibration[T]:
    """Return the fit at a penalty without a search."""
    found, result = fit(penalty)
    return Calibration(penalty, found, result, 1, found == k, penalty)


def guided_search(
    moments: SecondMoments,
    fit: Callable[[float], tuple[int, Component]],
    k: int,
    start: Array,
    at_rest: Callable[[Array], float],
) -> Calibration[Component]:
    """Search from 0 to 1, where ``at_rest(w)`` guesses from the nearest loading; fit at 0 if no more features vary."""
    if k >= np.count_nonzero(moments.diagonal):
        return single_fit(fit, 0.0, k)

    def guess(nearest: Component | None) -> float:
        return at_rest(start if nearest is None else nearest.loading)

    return search_penalty(fit, 0.0, 1.0, k, guess, NARROW)


def mildest(
    found: Calibration[T], fit: Callable[[float], tuple[int, T]], variance: Callable[[T], float]
) -> Calibration[T]:
    """Lower a penalty as far as its cardinality stays, and keep the result of largest variance.

    A penalty shrinks the loading as well.  So of the penalties that leave the same number of nonzeros, the one that a
    search met first is arbitrary, and a smaller one mostly explains more.

    Parameters
    ----------
    found : Calibration
        Of a search that reached its target.
    fit : callable
        What was searched.
    variance : callable
        ``variance(result)`` is what a result explains.
    """
    low, high, best, n_fits = found.low, found.penalty, found, found.n_fits
    while high - low > EDGE * (found.penalty - found.low):
        middle = 0.5 * (low + high)
        count, result = fit(middle)
        n_fits += 1
        if count != found.n_nonzero:
            low = middle
            continue
        high = middle
        if variance(result) > variance(best.result):
            best = replace(best, penalty=middle, result=result)
    return replace(best, n_fits=n_fits)


def threshold_for(
    moments: SecondMoments, truncation: Truncation, k: int, start: Array, scaled: Callable[[Array, Array], Array]
) -> float:
    """Return the level at which a truncated power method comes to rest if it moves such that k nonzeros stay.

    Parameters
    ----------
    moments : SecondMoments
    truncation : Truncation
    k : int
        Fewer than n_features.
    start : ndarray of shape (n_features,)
    scaled : callable
        ``scaled(w, Sw)`` is what the method truncates.
    """
    w, level = start, 0.0
    z = scaled(w, moments.matvec(w))
    inside = MARGIN if truncation.selects else 0.0  # off the edge, where rounding would decide
    for _ in range(MAX_STEPS):
        old, level = level, truncation.leaving(z, k, inside)
        w = truncation(z, level)
        at_rest = abs(level - old) <= AT_REST * level or not w.any()
        z = scaled(w, moments.matvec(w))
        if at_rest:
            break
    return truncation.leaving(z, k, MARGIN)


def reached(found: NDArray[np.intp], wanted: Sequence[int], n_features: int) -> NDArray[np.bool_]:
    """Return which cardinalities are exactly those requested; requests of `n_features` or more are always reached."""
    return np.asarray((found == np.asarray(wanted)) | (np.asarray(wanted) >= n_features))


class Searches(Generic[T]):
    """Collects the search of each component, and sets the estimator's attributes at the end."""

    def __init__(self) -> None:
        self._found: list[Calibration[T]] = []

    def add(self, found: Calibration[T]) -> T:
        """Keep a search, and return its fit at the penalty found."""
        self._found.append(found)
        return found.result

    def set_attributes(self, estimator: BaseEstimator, parameter: str, n_components: int, unused: float = 0.0) -> None:
        """Set ``n_fits_`` and ``calibrated_params_`` of an estimator.

        Parameters
        ----------
        estimator : BaseEstimator
            The estimator that searched its penalty.
        parameter : str
            The name of the penalty.
        n_components : int
            How many components were requested; there was no search for those with nothing left to explain.
        unused : float
            The penalty to report for components without a search; any valid one.
        """
        missing = n_components - len(self._found)
        estimator.n_fits_ = sum(found.n_fits for found in self._found)
        penalties = [found.penalty for found in self._found] + [unused] * missing
        estimator.calibrated_params_ = {"n_nonzero": None, parameter: penalties}
