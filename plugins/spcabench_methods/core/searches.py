"""The results of the penalty searches of one fit, when a cardinality counts as reached, and the mildest way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from spcabench_methods.core.penalty_search import Calibration

T = TypeVar("T")

EDGE = 1e-3
"""How closely the smallest penalty that leaves a cardinality is found, as a share of what the search left open."""

ATTRIBUTES = ("exact_cardinality_", "calibrated_params_", "n_fits_")
"""The attributes that an estimator has only after a search."""


def reached(found: NDArray[np.intp], wanted: Sequence[int], n_features: int) -> NDArray[np.bool_]:
    """Return which cardinalities are exactly those requested; requests of `n_features` or more are always reached."""
    return np.asarray((found == np.asarray(wanted)) | (np.asarray(wanted) >= n_features))


class Tried(Generic[T]):
    """A fit that keeps the cardinalities that it reached.

    Parameters
    ----------
    fit : callable
        ``fit(penalty)`` returns the cardinality and the result.
    """

    def __init__(self, fit: Callable[[float], tuple[int, T]]) -> None:
        self._fit = fit
        self._counts: dict[float, int] = {}

    def __call__(self, penalty: float) -> tuple[int, T]:
        """Fit."""
        found = self._fit(penalty)
        self._counts[penalty] = found[0]
        return found

    def denser(self, penalty: float, least: float) -> float:
        """Return the next smaller penalty that left more nonzeros than this one; `least` if there was none."""
        count = self._counts[penalty]
        return max((p for p, n in self._counts.items() if p < penalty and n > count), default=least)


def mildest(found: Calibration[T], fit: Tried[T], least: float, variance: Callable[[T], float]) -> Calibration[T]:
    """Lower a penalty as far as its cardinality stays, and keep the result of largest variance.

    A penalty shrinks the loading as well.  So of the penalties that leave the same number of nonzeros, the one that a
    search met first is arbitrary, and a smaller one mostly explains more.

    Parameters
    ----------
    found : Calibration
        Of a search that reached its target.
    fit : Tried
        What was searched.
    least : float
        The smallest penalty.
    variance : callable
        ``variance(result)`` is what a result explains.
    """
    low, high, best = fit.denser(found.penalty, least), found.penalty, found
    width, n_fits = high - low, found.n_fits
    while high - low > EDGE * width:
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
