"""The base of SCoTLASS and PMD: an ascent of the variance under a bound on the l1 norm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.l1_ball import bounded_unit
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Started
from spcabench_methods.penalised.searched import SearchedComponents


@dataclass(eq=False, repr=False, kw_only=True)
class BoundedComponents(SearchedComponents[Component], Started):
    """Base of the methods whose loadings have a bounded l1 norm."""

    _penalty = "bound"
    _shrinks = True

    bound: float | Sequence[float] | None = None
    init: str | ArrayLike = "several"

    @property
    def bound_met_(self) -> NDArray[np.bool_]:
        """Whether the l1 norm of each loading is within its bound; it is not if too many largest magnitudes tie."""
        norms = np.abs(self.components_).sum(axis=1)
        bounds = self.bound if self.bound is not None else self.calibrated_params_["bound"]
        return np.asarray(norms <= np.asarray(bounds) * (1.0 + 1e-6))

    def _bracket(self, rest: SecondMoments) -> tuple[float, float]:
        return float(np.sqrt(np.count_nonzero(rest.diagonal))), 1.0

    def _component(self, rest: SecondMoments, solution: Component) -> Component:
        return solution


def bounded_ascent(
    moments: SecondMoments, bound: float, start: Array, order: int, tol: float, max_iter: int
) -> Component:
    """Repeat: w maximises ``(S w_old)'w`` under the bound, until it moves by less than `tol` in the l_`order` norm."""
    w, z = start, moments.matvec(start)
    for n_iter in range(1, max_iter + 1):
        old, w = w, bounded_unit(z, bound)
        z = moments.matvec(w)
        if np.linalg.norm(w - old, order) <= tol:
            return Component(w, float(w @ z), n_iter)
    return Component(w, float(w @ z), max_iter, converged=False)
