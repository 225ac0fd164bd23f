"""What the searches of one fit found: one penalty for each component."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from spcabench import Calibration

T = TypeVar("T")


class Searches(Generic[T]):
    """Collects the search of each component, and tells the estimator about them at the end."""

    def __init__(self) -> None:
        self._found: list[Calibration[T]] = []

    def add(self, found: Calibration[T]) -> T:
        """Keep a search, and give what was fitted at the penalty that it found."""
        self._found.append(found)
        return found.result

    def tell(self, estimator: BaseEstimator, parameter: str, n_components: int, unused: float = 0.0) -> None:
        """Set ``exact_cardinality_``, ``n_fits_`` and ``calibrated_params_`` of an estimator.

        Parameters
        ----------
        estimator : BaseEstimator
            It searched its penalty.
        parameter : str
            The name of the penalty.
        n_components : int
            Components wanted; those for which nothing was left to explain were not searched.
        unused : float
            Any valid penalty, for those.
        """
        missing = n_components - len(self._found)
        estimator.exact_cardinality_ = np.array([found.reached for found in self._found] + [False] * missing)
        estimator.n_fits_ = sum(found.n_fits for found in self._found)
        penalties = [found.penalty for found in self._found] + [unused] * missing
        estimator.calibrated_params_ = {"n_nonzero": None, parameter: penalties}
