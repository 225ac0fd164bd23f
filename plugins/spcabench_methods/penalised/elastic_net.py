"""Elastic nets on second moments: minimise ``b'(S + ridge I) b - 2 g'b + l1 ||b||_1``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve

from spcabench_methods.core.arrays import Array, Indices, spread
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments import Data, SecondMoments
from spcabench_methods.truncations.top_k import top_k

TOLERANCE = 1e-13
"""Coordinate descent has converged if no coefficient changes by more than this share of the largest."""
SWEEPS = 100
"""After so many sweeps the equations for the coefficients on the support are solved."""
ROUNDS = 20
"""The most times this is repeated."""
TIE = 1e-10
"""Events of a path closer to each other, relative to its start, coincide."""


def elastic_net(moments: SecondMoments, g: Array, ridge: float, l1: float, start: Array) -> Array:
    """Solve for a given penalty, by coordinate descent on the features that are nonzero or violate optimality.

    If coordinate descent does not converge, as with tiny penalty and ridge on more features than samples, follow the
    path down to the penalty instead.
    """
    b = start
    slack = 1e-12 * float(np.abs(g).max())
    working = np.flatnonzero(b)
    while True:
        excess = np.abs(g - moments.matvec(b) - ridge * b) - 0.5 * l1
        excess[working] = 0.0
        violating = np.flatnonzero(excess > slack)
        if not violating.size and (b is not start or not b.any()):
            return b
        worst = violating[np.argsort(-excess[violating], kind="stable")[: max(10, len(working))]]
        working = np.sort(np.append(working, worst))
        b = np.zeros_like(g)
        found = descend(moments.columns(working)[working], g[working], ridge, 0.5 * l1, start[working])
        if found is None:
            return elastic_net_on_path(moments, g, ridge, l1)
        b[working] = found
        start = b.copy()


def descend(S: Array, g: Array, ridge: float, threshold: float, start: Array) -> Array | None:
    """Solve on a dense matrix by sweeps over the coordinates, with exact solutions on the support in between.

    Return None if that does not converge.
    """
    Q = np.ascontiguousarray(S + ridge * np.eye(len(S)))
    b = start.copy()
    for _ in range(ROUNDS):
        if _sweep(Q, g, threshold, b, TOLERANCE, SWEEPS):
            return b
        support = np.flatnonzero(b)
        signs = np.sign(b[support])
        with suppress(np.linalg.LinAlgError):
            exact = solve(Q[np.ix_(support, support)], g[support] - threshold * signs, assume_a="pos")
            if np.array_equal(np.sign(exact), signs):
                b[support] = exact
    return None


def ridge_regression(moments: SecondMoments, ridge: float) -> Callable[[Array], Array]:
    """Return a function that solves ``(S + ridge I) b = g`` for any g in the range of S, by the eigenvectors of S.

    If there are fewer samples than features, no matrix of features by features is formed.  Rounding errors of g outside
    the range are dropped; a solution of the whole system would divide them by the ridge.
    """
    n_samples = len(moments.X) if isinstance(moments, Data) else moments.n_features
    values, V = moments.principal(min(n_samples, moments.n_features))
    return lambda g: np.asarray(V @ (V.T @ g / (values + ridge)))


@njit(cache=True, nogil=True)
def _sweep(Q: Array, g: Array, threshold: float, b: Array, tol: float, n_sweeps: int) -> bool:
    """Minimise over one coordinate after another, in place; return whether they have converged."""
    rest = g - Q @ b
    for _ in range(n_sweeps):
        moved, largest = 0.0, 0.0
        for i in range(len(b)):
            old = b[i]
            z = rest[i] + Q[i, i] * old
            b[i] = np.sign(z) * max(abs(z) - threshold, 0.0) / Q[i, i]
            if b[i] != old:
                for j in range(len(rest)):
                    rest[j] -= (b[i] - old) * Q[i, j]
                moved = max(moved, abs(b[i] - old))
            largest = max(largest, abs(b[i]))
        if moved <= tol * largest:
            return True
    return False


class Event(NamedTuple):
    """A bend of a path: after `step` the features `entering` become active, or `leaving` becomes inactive."""

    step: float
    entering: Indices
    leaving: int | None = None


def elastic_net_of_cardinality(moments: SecondMoments, g: Array, ridge: float, k: int) -> tuple[Array, float]:
    """Follow the path from large penalties down to where k features are nonzero and the next would enter.

    Returns
    -------
    b : ndarray of shape (n_features,)
        The coefficients there.  If the path skips k nonzeros because features tie or leave, the last coefficients
        with fewer; if there are none, the regression on the k features of largest ``|g|``, the first ones on ties.
    l1 : float
        The penalty there.
    """
    if not g.any():
        return np.zeros_like(g), 0.0
    path = Path(moments, g, ridge)
    best, penalty = np.zeros_like(g), 2.0 * path.level
    for _ in range(10 * (k + 10)):
        event = path.next_event()
        enough = len(path.active) == k and event.leaving is None
        path.advance(event)
        if event.step > 0.0 and len(path.active) <= k:
            best, penalty = path.coefficients(), 2.0 * path.level
        if path.level <= 0.0 or (enough and event.step > 0.0):
            break
        path.turn(event)
    if not best.any() and g.any():
        path.active = np.flatnonzero(top_k(g, k))
        best[path.active], penalty = path.solve(g[path.active]), 0.0
    return best, penalty


def elastic_net_on_path(moments: SecondMoments, g: Array, ridge: float, l1: float) -> Array:
    """Follow the path from large penalties down to a given one."""
    path = Path(moments, g, ridge)
    for _ in range(10 * (len(g) + 10)):
        event = path.next_event()
        if event.step >= path.level - 0.5 * l1:
            path.advance(Event(path.level - 0.5 * l1, event.entering))
            break
        path.advance(event)
        path.turn(event)
    return path.coefficients()


def elastic_net_of_norm(moments: SecondMoments, g: Array, ridge: float, bound: float) -> tuple[Array, float]:
    """Follow the path from large penalties down to where the l1 norm reaches the bound; return b and l1 there."""
    if not g.any():
        return np.zeros_like(g), 0.0
    path = Path(moments, g, ridge)
    for _ in range(10 * (len(g) + 10)):
        event = path.next_event()
        room, growth = bound - np.abs(path.b).sum(), np.sign(path.gradient[path.active]) @ path.direction
        if growth > 0.0 and room <= event.step * growth:
            path.advance(Event(room / growth, event.entering))
            break
        path.advance(event)
        if path.level <= 0.0:
            break
        path.turn(event)
    return path.coefficients(), 2.0 * path.level


class Path:
    """The piecewise linear path of coefficients as the penalty falls; ``level`` is l1/2.

    Along it ``g - (S + ridge I) b`` equals the level times a sign at the active features, and is smaller elsewhere.
    """

    def __init__(self, moments: SecondMoments, g: Array, ridge: float) -> None:
        self.moments, self.ridge = moments, max(ridge, 1e-13 * float(moments.diagonal.max()))
        self.gradient = g.copy()
        self.level = self.start = float(np.abs(g).max())
        self.active = np.flatnonzero(np.abs(g) >= (1.0 - TIE) * self.level)
        self.b = np.zeros_like(g)
        self.left: int | None = None
        self._aim()

    def next_event(self) -> Event:
        """Find where the path bends next."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rising = np.where(self.slope < 1.0, (self.level - self.gradient) / (1.0 - self.slope), np.inf)
            falling = np.where(self.slope > -1.0, (self.level + self.gradient) / (1.0 + self.slope), np.inf)
            vanishing = -self.b[self.active] / self.direction
        if self.left is not None:
            side = rising if self.gradient[self.left] > 0.0 else falling
            side[self.left] = np.inf
        joins = np.maximum(np.minimum(rising, falling), 0.0)
        joins[self.active] = np.inf
        vanishing = np.where((vanishing > 0.0) & (self.b[self.active] != 0.0), vanishing, np.inf)
        join, leave = float(joins.min()), float(vanishing.min())
        if min(join, leave) >= self.level:
            return Event(self.level, np.empty(0, dtype=np.intp))
        if leave < join:
            return Event(leave, np.empty(0, dtype=np.intp), int(self.active[np.argmin(vanishing)]))
        step = join if join > TIE * self.start else 0.0
        return Event(step, np.flatnonzero(joins <= step + TIE * self.start))

    def advance(self, event: Event) -> None:
        """Move along the path to the event."""
        self.b[self.active] += event.step * self.direction
        self.gradient -= event.step * self.slope
        self.level -= event.step

    def turn(self, event: Event) -> None:
        """Change the active features and find the new direction."""
        if event.leaving is not None:
            self.b[event.leaving] = 0.0
            self.active = self.active[self.active != event.leaving]
        self.active = np.union1d(self.active, event.entering)
        self.left = event.leaving
        self._aim()

    def coefficients(self) -> Array:
        """Return the coefficients, with zeros for features that have only just entered."""
        return np.where(np.abs(self.b) > 1e-10 * np.abs(self.b).max(), self.b, 0.0)

    def solve(self, right: Array) -> Array:
        """Solve ``(S + ridge I) x = right`` on the active features."""
        columns: NDArray[np.float64] = self.moments.columns(self.active)[self.active]
        return np.asarray(solve(columns + self.ridge * np.eye(len(right)), right, assume_a="pos"))

    def _aim(self) -> None:
        self.direction = self.solve(np.sign(self.gradient[self.active]))
        along = spread(self.direction, self.active, len(self.b))
        self.slope = self.moments.matvec(along) + self.ridge * along
