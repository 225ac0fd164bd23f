"""What the searches of one fit found: one penalty for each component; and when a cardinality counts as reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from spcabench import Calibration

T = TypeVar("T")

TOLD = ("exact_cardinality_", "calibrated_params_", "n_fits_")
"""What a fit tells of its searches."""


def reached(found: NDArray[np.intp], wanted: Sequence[int], n_features: int) -> NDArray[np.bool_]:
    """Return which cardinalities are exactly those wanted; `n_features` or more ask for nothing, and are reached."""
    return np.asarray((found == np.asarray(wanted)) | (np.asarray(wanted) >= n_features))


class Searches(Generic[T]):
    """Collects the search of each component, and tells the estimator about them at the end."""

    def __init__(self) -> None:
        self._found: list[Calibration[T]] = []

    def add(self, found: Calibration[T]) -> T:
        """Keep a search, and give what was fitted at the penalty that it found."""
        self._found.append(found)
        return found.result

    def tell(self, estimator: BaseEstimator, parameter: str, n_components: int, unused: float = 0.0) -> None:
        """Set ``n_fits_`` and ``calibrated_params_`` of an estimator.

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
        estimator.n_fits_ = sum(found.n_fits for found in self._found)
        penalties = [found.penalty for found in self._found] + [unused] * missing
        estimator.calibrated_params_ = {"n_nonzero": None, parameter: penalties}
