"""The scheme of the methods that penalise one component after another, with a given penalty or a search for it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.l1_ball import bounded_unit
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.core.searches import HALVED, Calibration, Searches, counted, mildest, search_penalty, single_fit
from spcabench_methods.core.starts import Rule


@dataclass(eq=False, repr=False, kw_only=True)
class SearchedComponents(Deflated, Counted):
    """Base of methods with one penalty per component, which `fit` searches if a cardinality is set instead.

    A subclass names its penalty and implements `_bracket` and `_solver`.

    Attributes
    ----------
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.  Only after a search.
    calibrated_params_ : dict
        Parameters with which a fit without a search finds the same loadings.  Only after a search.
    n_fits_ : int
        How many fits of a component the searches took.  Only after a search.
    """

    _penalty: ClassVar[str]
    _narrow: ClassVar[float] = HALVED
    """How narrow the bracket of the search becomes, relative to its upper end."""
    _shrinks: ClassVar[bool] = False
    """Whether the penalty shrinks the loading too, so that the smallest one that reaches the cardinality is best."""

    @abstractmethod
    def _bracket(self, rest: SecondMoments) -> tuple[float, float]:
        """Return the penalty that leaves all features, and one that leaves one or none."""

    @abstractmethod
    def _solver(self, n_features: int) -> Callable[[SecondMoments, float, list[Array]], Component]:
        """Return what finds the components of a fit.

        ``solve(rest, penalty, before)`` finds a component of the deflated second moments `rest`, after the loadings
        `before`.
        """

    def _component(self, rest: SecondMoments, solution: Component) -> Component:
        """Return the component of the chosen solution: with `refit` the best one on its support."""
        return refitted(rest, solution) if getattr(self, "refit", False) else solution

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        given = getattr(self, self._penalty)
        self._only_one("n_nonzero", self._penalty)
        counts = self._counts(moments.n_features)
        penalties = None if given is None else per_component(given, self.n_components, self._penalty)
        before: list[Array] = []
        searches: Searches[Component] = Searches()
        solve = self._solver(moments.n_features)

        def solution(rest: SecondMoments, j: int) -> Component:
            if penalties is not None:
                return solve(rest, penalties[j], before)
            return searches.add(self._search(rest, counts[j], lambda penalty: solve(rest, penalty, before)))

        def find(rest: SecondMoments, j: int) -> Component:
            component = self._component(rest, solution(rest, j))
            before.append(component.loading)
            return component

        yield from self._one_by_one(moments, find)
        if penalties is None:
            searches.set_attributes(self, self._penalty, self.n_components, unused=1.0)

    def _search(self, rest: SecondMoments, k: int, solve: Callable[[float], Component]) -> Calibration[Component]:
        dense, sparse = self._bracket(rest)
        direction = 1.0 if dense <= sparse else -1.0
        fit = counted(lambda level: solve(direction * level))
        low, high = direction * dense, direction * sparse
        if k >= np.count_nonzero(rest.diagonal):
            search = single_fit(fit, low, k)
        elif k > 1 or not (search := single_fit(fit, high, k)).reached:
            search = search_penalty(fit, low, high, k, narrow=self._narrow)
            if self._shrinks and search.reached:
                search = mildest(search, fit, lambda found: rest.quadratic(found.loading))
        return replace(search, penalty=direction * search.penalty)


@dataclass(eq=False, repr=False, kw_only=True)
class ClimbingComponents(SearchedComponents, Started):
    """Base of those that climb from each start, and keep the best end.  A subclass implements `_climb`."""

    _words: ClassVar[Mapping[str, Rule]] = {}
    """Starts beside the common ones."""
    _tie: ClassVar[float] = 0.0
    """Ends whose objectives differ by no more than this share are one."""

    @abstractmethod
    def _climb(self, rest: SecondMoments, penalty: float, start: Array) -> Component:
        """Find a component from a start."""

    def _solver(self, n_features: int) -> Callable[[SecondMoments, float, list[Array]], Component]:
        starts = self._starts(n_features, self._words)
        k = math.ceil(math.sqrt(n_features))

        def solve(rest: SecondMoments, penalty: float, before: list[Array]) -> Component:
            vectors = starts.vectors(rest, len(before), k)
            return best_of((self._climb(rest, penalty, w) for w in vectors), tie=self._tie)

        return solve


@dataclass(eq=False, repr=False, kw_only=True)
class BoundedComponents(SearchedComponents, Started):
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
