"""The results of the penalty searches of one fit, and when a cardinality counts as reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from spcabench import Calibration

T = TypeVar("T")

ATTRIBUTES = ("exact_cardinality_", "calibrated_params_", "n_fits_")
"""The attributes that an estimator has only after a search."""


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
