"""An estimator around a function: what a plugin needs to bring in code that is no estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray


class FunctionMethod:
    """A method that is a function of the samples, the number of components and the number of nonzeros.

    A plugin derives a class with the function ``loadings(X, r, k)``; see ``plugins/README.md``.

    Parameters
    ----------
    n_components : int
        The wanted components, r.
    n_nonzero : int or sequence of int
        The wanted nonzeros of every component, or of each, k.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The loadings, each divided by its length.
    """

    def __init__(self, n_components: int = 2, n_nonzero: int | Sequence[int] = 1) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero

    @staticmethod
    def loadings(X: NDArray[np.float64], r: int, k: int | Sequence[int]) -> object:
        """Return loadings of any length, an array of shape (r, n_features)."""
        raise NotImplementedError("a FunctionMethod needs a function loadings(X, r, k)")

    def fit(self, X: NDArray[np.float64], y: object = None) -> Self:
        """Call the function with a copy of the samples, shape (n_samples, n_features).

        Raises
        ------
        ValueError
            If the samples, or the loadings, are no matrix of finite numbers.
        """
        samples = _matrix("X", np.array(X, dtype=np.float64))
        rows = _matrix("what loadings returned", np.asarray(self._found(samples)))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        self.components_ = rows / np.where(lengths > 0, lengths, 1.0)
        return self

    def _found(self, X: NDArray[np.float64]) -> object:
        return self.loadings(X, self.n_components, self.n_nonzero)


def _matrix(what: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    if values.ndim != 2 or not np.isfinite(values).all():
        raise ValueError(f"{what} is no matrix of finite numbers; its shape is {values.shape}")
    return values
