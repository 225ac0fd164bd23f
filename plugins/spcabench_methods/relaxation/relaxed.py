"""The base of the two solvers of the semidefinite relaxation: elimination of features, loading, bounds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, spread, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number, one_or_each
from spcabench_methods.core.default_starts import axis, peak
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.penalised.searched import SearchedComponents
from spcabench_methods.truncations.hard import hard


class Optimum(NamedTuple):
    """An approximate maximiser of ``tr SZ - lam sum |Z|``.

    Parameters
    ----------
    Z : ndarray of shape (m, m)
        A multiple of a feasible matrix.
    objective : float
    upper_bound : float
        Nothing feasible has a larger objective.
    n_iter : int
    converged : bool
    """

    Z: Array
    objective: float
    upper_bound: float
    n_iter: int
    converged: bool


@dataclass(eq=False, repr=False, kw_only=True)
class RelaxedComponents(SearchedComponents):
    """Base of the methods that solve the relaxation.  A subclass implements `_maximise` and `_negligible`."""

    _penalty = "lam"
    _proves = True
    _narrow: ClassVar[float] = 1e-4

    lam: float | Sequence[float] | None = None
    refit: bool = True

    _parameter_constraints = SHARED | {"lam": [None, *one_or_each(number())]}

    @abstractmethod
    def _maximise(self, S: Array, lam: float) -> Optimum:
        """Solve the relaxation for a matrix whose largest variance is 1."""

    @property
    @abstractmethod
    def _negligible(self) -> float:
        """Entries of a loading not above this share of the largest become zero."""

    def _bracket(self, rest: SecondMoments) -> tuple[float, float]:
        return 0.0, 2.0 * float(rest.diagonal.max())

    def _solver(self, n_features: int) -> Callable[[SecondMoments, float, list[Array]], Component]:
        return self._solve

    def _solve(self, rest: SecondMoments, penalty: float, before: list[Array]) -> Component:
        """Solve the relaxation on the features that can enter; the loading is the leading eigenvector of Z."""
        kept = np.flatnonzero(rest.diagonal > penalty)
        if len(kept) <= 1:
            widest = peak(rest, rest.diagonal)
            value = float(rest.diagonal[widest]) - penalty
            return Component(axis(rest, widest), value, upper_bound=value)
        S = np.ascontiguousarray(rest.columns(kept)[kept])
        scale = float(S.diagonal().max())
        found = self._maximise(S / scale, penalty / scale)
        w = leading_eigenvectors(found.Z, 1)[1][:, 0]
        loading = spread(unit(hard(w, self._negligible * float(np.abs(w).max()))), kept, rest.n_features)
        return Component(loading, scale * found.objective, found.n_iter, found.converged, scale * found.upper_bound)
