"""The ascent that RSPCA and PCA-L1 share: turn samples to the side of w, sum them, shrink the sum, repeat."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.centred import Centred
from spcabench_methods.core.checks import RandomSource, random_source
from spcabench_methods.core.default_starts import default_starts
from spcabench_methods.core.moments import Data, Gram, OutOfCoreData, SecondMoments, second_moments
from spcabench_methods.core.out_of_core import out_of_core
from spcabench_methods.core.parameters import Started
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.signs import first_largest
from spcabench_methods.core.starts import RULES, SEVERAL, checked_starts
from spcabench_methods.robust import bounded_sum
from spcabench_methods.robust.bounded_sum import BoundedSum, Rows, is_double_rows
from spcabench_methods.robust.signed_sum import TIE, SignedSum

Shrink = Callable[[Array], Array]

RESTARTS = 10
"""The most restarts of an ascent that ends where a sample lies in the hyperplane."""

NUDGE = 1e-3
"""The length of the random vector that is added at a restart."""

PATIENCE = 20
"""An ascent ends after this many iterations below the best."""


@dataclass(eq=False, repr=False, kw_only=True)
class L1Components(Started):
    """Base of the methods that maximise ``||X w||_1``, one component after another by projection deflation."""

    tol: float = 1e-10
    max_iter: int = 1000

    @abstractmethod
    def _shrinks(self, n_features: int) -> list[tuple[int, Shrink]]:
        """Return the nonzeros of each component, and the function that makes a sum of samples so sparse."""

    @property
    def _takes_sparse(self) -> bool:
        return True

    def _read(self, X: Any, mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        centred = None if is_double_rows(X) else out_of_core(X, mean)
        if centred is not None:
            return mean, centred, OutOfCoreData(centred)
        if X.size >= bounded_sum.LARGE:
            return mean, Rows(np.ascontiguousarray(X, dtype=np.float64), mean), Samples(X, mean)
        return mean, np.subtract(X, mean, dtype=np.float64, order="C"), Samples(X, mean)

    def _components(self, X: Array | Centred | Rows) -> Iterator[Component]:
        random = random_source(self.random_state)
        samples = BoundedSum(X) if isinstance(X, Rows) else SignedSum(X)
        starts = SampleStarts(self.init, self.n_init, self.n_components, samples, lambda: moments_of(X), random)
        for j, (k, shrink) in enumerate(self._shrinks(samples.n_features)):
            if samples.exhausted:
                yield Component(np.zeros(samples.n_features), objective=0.0, n_iter=0)
                continue
            best = best_of(ascend(samples, w, shrink, self.tol, self.max_iter, random) for w in starts.of(j, k))
            yield best
            if best.loading.any():
                samples.deflate(best.loading)
                starts.deflate(best.loading)


def ascend(
    samples: SignedSum, start: Array, shrink: Shrink, tol: float, max_iter: int, random: RandomSource
) -> Component:
    """Climb from a unit vector to a fixed point of the iteration ``w <- unit(shrink(X' sign(X w)))``.

    Parameters
    ----------
    samples : SignedSum
        The deflated samples.
    start : ndarray of shape (n_features,)
        A unit vector.
    shrink : callable
        Makes a vector sparse.
    tol : float
        The ascent ends when no entry of w changes by more.
    max_iter : int
        The most iterations.
    random : RandomState or Generator
        For restarts: if a sample lies in the hyperplane, its side is arbitrary, and w moves a little.

    Returns
    -------
    Component
        The iterate of largest ``||X w||_1``; zero if every sum vanished.
    """
    w, best, objective = start, np.zeros_like(start), 0.0
    total = samples.turn(w)
    least = TIE * samples.norms.sum()
    restarts, worse, sides = 0, 0, 0
    visited: set[int] = set()
    for n_iter in range(1, max_iter + 1):
        vanished = math.sqrt(total @ total) <= least
        new = w if vanished else unit(shrink(total))
        if np.abs(new - w).max() <= tol:
            if restarts < RESTARTS and (vanished or samples.undecided()):
                w = unit(w + nudge(np.ones_like(w) if vanished else w, random))
                total = samples.turn(w)
                restarts, worse, visited = restarts + 1, 0, set()
                continue
            if objective == 0.0 and not vanished:
                best, objective = new, float(new @ total)
            return Component(best, objective, n_iter)
        w = new
        total = samples.turn(w)
        reached = float(w @ total)
        worse = 0 if reached >= (1.0 - TIE) * objective else worse + 1
        if worse == 0:
            best, objective = w, reached
        last, sides = sides, hash(samples.signs.tobytes())
        if worse == PATIENCE or (sides in visited and sides != last):
            return Component(best, objective, n_iter)
        visited.add(sides)
    return Component(best, objective, max_iter, converged=False)


def nudge(w: Array, random: RandomSource) -> Array:
    """Draw a random vector of length `NUDGE` on the support of `w`."""
    return NUDGE * unit(np.where(w != 0.0, random.standard_normal(len(w)), 0.0))


class SampleStarts:
    """The starts of the ascents of a component.

    Parameters
    ----------
    init : str or array
        ``several``, ``ones`` or ``published``, ``pca``, ``random``, ``multi`` (the last three), ``max_variance``,
        ``max_norm``, or vectors.
    n_init : int
        How many random starts.
    n_components : int
        How many components.
    samples : SignedSum
        The samples, deflated from outside.
    moments : callable
        ``moments()`` returns the second moments of the samples.
    random : RandomState or Generator
        For the random starts.
    """

    def __init__(
        self,
        init: Any,
        n_init: int,
        n_components: int,
        samples: SignedSum,
        moments: Callable[[], SecondMoments],
        random: RandomSource,
    ) -> None:
        named = isinstance(init, str)
        self.kinds = ("given",) if not named else ("ones", "pca", "random") if init == "multi" else (init,)
        self.n_init, self.samples, self.random = n_init, samples, random
        self.moments = moments() if {SEVERAL, "pca", "max_variance"} & {*self.kinds} else None
        self.given = np.empty((0, 0)) if named else checked_starts(init, n_components, samples.n_features)

    def of(self, j: int, k: int) -> Iterator[Array]:
        """Yield unit vectors for component j, counted from 0, of k nonzeros."""
        d = self.samples.n_features
        for kind in self.kinds:
            if kind == "given":
                yield unit(self.given[j])
            elif kind in ("ones", "published"):
                yield unit(np.ones(d))
            elif kind == "max_norm":
                yield unit(self.samples.row(first_largest(self.samples.squares)))
            elif kind == "random":
                yield from (unit(np.asarray(self.random.standard_normal(d))) for _ in range(self.n_init))
            elif kind == SEVERAL and self.moments is not None:
                yield from default_starts(self.moments, k)
            elif self.moments is not None:
                start = RULES[kind](self.moments, 1)
                yield start if start.any() else unit(np.ones(d))

    def deflate(self, w: Array) -> None:
        """Deflate the second moments by `w`, as the samples were."""
        if self.moments is not None:
            self.moments.deflate(w)


def moments_of(X: Array | Centred | Rows) -> SecondMoments:
    """Return second moments of centred samples, as a matrix if that is smaller."""
    if isinstance(X, Centred):
        return OutOfCoreData(X)
    if isinstance(X, Rows):
        return second_moments(*X)
    n, d = X.shape
    return Gram(X.T @ X / n) if d <= n else Data(X)
