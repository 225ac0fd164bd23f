# SPDX-License-Identifier: BSD-3-Clause
"""A method of sparse PCA, and its registration."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

import spcabench


class Example:
    """Loadings of PCA, all but the largest set to zero: put your algorithm in place of `fit`.

    Parameters
    ----------
    n_components : int
        The wanted components.
    n_nonzero : int or sequence of int
        The wanted nonzeros, of every component or of each.
    """

    # A suite sets n_components and the knob, here n_nonzero.  Add parameters of your own behind them, with defaults.  A
    # method that draws random numbers takes random_state, the seed of the cell, and no global generator.
    def __init__(self, n_components: int = 2, n_nonzero: int | Sequence[int] = 4) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero

    def fit(self, X: NDArray[np.float64], y: object = None) -> Self:
        """Find the components of `X`, shape (n_samples, n_features), which is not centred and must not be changed."""
        if np.ndim(X) != 2 or not np.isfinite(X).all():
            raise ValueError("X is to be a matrix of finite numbers")
        rows = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: self.n_components]
        for row, kept in zip(rows, np.broadcast_to(self.n_nonzero, len(rows)), strict=True):
            row[np.abs(row).argsort()[: len(row) - kept]] = 0.0
        # One row of unit length for each component, exact zeros where there is no loading.
        self.components_ = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return self


@spcabench.hookimpl
def spcabench_methods() -> list[spcabench.MethodSpec]:
    """Return the methods of this plugin."""
    return [
        spcabench.MethodSpec(
            name="example",  # what a suite calls it
            estimator="spcabench_example:Example",
            title="Loadings of PCA, truncated",
            # CARDINALITY: n_nonzero takes the wanted number of nonzeros.  A penalty is searched by spcabench:
            # Knob("penalty", "alpha", low=0.0).  DENSE: nothing sets the sparsity.
            knob=spcabench.CARDINALITY,
            # It is skipped where only a covariance is known.  A method that takes covariance="precomputed" too leaves
            # this out.
            requires=frozenset({"samples"}),
            # What a suite may set beside, with valid values: {"tol": Parameter(1e-6, Number(0.0), "when it stops")}.
            parameters={},
            reference="Cadima and Jolliffe, Journal of Applied Statistics 22, 1995, 203-214",
        )
    ]
