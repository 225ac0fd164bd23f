"""SPCAGrid: loadings of largest robust scale, found by searching the angle to one coordinate after another."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spcabench import Calibration, search_penalty
from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.base import Component, SparseComponents
from spcabench_methods.core.checks import cardinalities, per_component
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.randomness import RandomSource
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.searches import Searches
from spcabench_methods.core.starts import Starts
from spcabench_methods.core.unit import unit
from spcabench_methods.robust import SPCAGRID_PARAMETERS
from spcabench_methods.robust.grid_starts import coordinates
from spcabench_methods.robust.scales import MAD, SCALES, SD, mad_near, scale_of, spatial_median

TINY = 1e-10
"""Entries of a loading below this are rounding errors of the rotations."""


class SPCAGrid(SparseComponents):
    """Robust sparse principal component analysis by projection pursuit on a grid.

    With a robust scale s and centred X, each loading is a local solution of: maximise

        s(X w)^2 - lam m ||w||_1   subject to ||w|| = 1 and w orthogonal to the loadings before,

    where m is the mean of s(x_j)^2 over the features x_j.  The search takes place in an orthonormal basis of the
    orthogonal complement of the loadings before.  By default it starts at the coordinate of largest scale.  It turns
    towards or away from each coordinate, in the order of their scales, to the best of `n_angles` angles around the
    present one; in the first sweep also to the angle that leaves the coordinate out.  The angles cover half a circle in
    the first sweep, and half the range of the sweep before in each further one; the best sweep is kept.  The reflection
    that maps the coordinate of largest scale to the loading yields the next basis; it is sparse if the loading is, so
    that later loadings can be sparse too.  At the end components are sorted by scale.

    A sweep costs O(d (n_angles (s + m) + d)) with s the cost of a scale: O(n) for "sd", for all angles together, and
    "mad", O(n log n) for "qn"; m is the number of features with a loading before.  A search takes about fifteen such
    fits a component.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Requested nonzeros of a component, at least 1, one number or one per component in the order in which they are
        found; n_features or more: no penalty.  None, if `lam` is None too: the square root of n_features, rounded
        up.  `fit` searches the penalty of each component by bisection; if no penalty reaches the target, the component
        misses it, see `exact_cardinality_`.
    scale : {"mad", "sd", "qn"}, default="mad"
        The median absolute deviation; the standard deviation, which is not robust; or Qn.
    lam : float, list of float or None, default=None
        The penalty, at least 0, instead of `n_nonzero`; one number or one per component as they are found.  Relative
        to m, the mean of the squared scales of the features.
    centre : {"spatial", "median", "mean"}, default="spatial"
        What is subtracted: the point of smallest summed distance to the samples, or the medians or means of the
        features.
    init : {"max_variance", "ones", "pca", "random"} or array, default="max_variance"
        The start, see `spcabench_methods.core.starts`; "max_variance" is the coordinate of largest scale.
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    n_angles : int, default=25
        Odd, at least 3.  Angles tried at a coordinate; the present one is among them.
    n_halvings : int, default=10
        At least 0.  How often the range of angles is halved; there is one more sweep than that.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `mean_` holds the centre, `n_iter_` the sweeps, `objective_` what is maximised.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`; they are variances about the column means, and not robust.
    scales_ : ndarray of shape (n_components,)
        The robust scales of the components, descending.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.  Only after a search.
    calibrated_params_ : dict
        Parameters with which a fit without a search finds the same loadings.  Only after a search.
    n_fits_ : int
        How many fits of a component the searches took.  Only after a search.

    References
    ----------
    C. Croux, P. Filzmoser and H. Fritz, Robust sparse principal component analysis, Technometrics 55, 2013, 202-214:
    function sPCAgrid of the authors' R package pcaPP.

    Examples
    --------
    The two outliers have much of the variance, but the median absolute deviation does not see them:

    >>> import numpy as np
    >>> from spcabench_methods import SPCAGrid
    >>> x = np.linspace(-2.45, 2.45, 50)
    >>> y = 0.1 * np.cos(np.arange(50))
    >>> y[[37, 39]] = 7.0
    >>> SPCAGrid(n_components=2, n_nonzero=1).fit(np.column_stack([x, y])).components_
    array([[1., 0.],
           [0., 1.]])
    """

    _parameters = SPCAGRID_PARAMETERS

    def __init__(
        self,
        n_components: int = 2,
        n_nonzero: int | Sequence[int] | None = None,
        *,
        scale: str = "mad",
        lam: float | Sequence[float] | None = None,
        centre: str = "spatial",
        init: str | ArrayLike = "max_variance",
        n_init: int = 1,
        n_angles: int = 25,
        n_halvings: int = 10,
        random_state: int | RandomSource | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.scale = scale
        self.lam = lam
        self.centre = centre
        self.init = init
        self.n_init = n_init
        self.n_angles = n_angles
        self.n_halvings = n_halvings
        self.random_state = random_state

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        if self.n_angles % 2 == 0:
            raise ValueError(f"n_angles is {self.n_angles}; valid is an odd number, so that the present angle is tried")
        double = X.astype(np.float64, copy=False)
        centre = mean
        if self.centre != "mean":
            centre = spatial_median(double) if self.centre == "spatial" else np.median(double, axis=0)
        return centre, np.subtract(double, centre, order="C"), Samples(X, mean)

    def _components(self, X: Array) -> list[Component]:
        if self.lam is not None and self.n_nonzero is not None:
            raise ValueError("n_nonzero and lam are both given; valid is only one of them")
        counts = cardinalities(self.n_nonzero, self.n_components, X.shape[1])
        lams = None if self.lam is None else per_component(self.lam, self.n_components, "lam")
        rest = Complement(X, SCALES[self.scale])
        starts = Starts.of(self, X.shape[1])
        searches: Searches[Direction] = Searches()
        found: list[Direction] = []
        for j in range(self.n_components):
            if rest.exhausted:
                found.append(Direction(np.zeros(X.shape[1]), np.zeros(0), 0.0, 0.0))
                continue
            best = self._best(rest, coordinates(starts, rest, j))
            found.append(best(lams[j]) if lams is not None else searches.add(search_lam(rest, counts[j], best)))
            if found[-1].loading.any():
                rest.remove(found[-1].coordinates)
        order = sorted(range(self.n_components), key=lambda j: -found[j].scale)
        self._order = order
        self.scales_ = np.array([found[j].scale for j in order])
        if lams is None:
            searches.set_attributes(self, "lam", self.n_components)
        sweeps = self.n_halvings + 1
        self._warn_past_rank(X, [direction.loading for direction in found if direction.loading.any()])
        return [Component(found[j].loading, found[j].objective, sweeps if found[j].loading.any() else 0) for j in order]

    def _warn_past_rank(self, X: Array, loadings: list[Array]) -> None:
        """Warn if the scores depend on each other: then the samples span fewer dimensions than there are loadings.

        The grid comes near the directions of the samples, and does not meet them, so that something always remains for
        further loadings.
        """
        scores = X @ np.column_stack([*loadings, np.zeros(X.shape[1])])
        rank = int(np.linalg.matrix_rank(scores - scores.mean(axis=0)))
        if rank < len(loadings):
            message = (
                f"the samples span {rank} dimensions, and there are {len(loadings)} components; those past {rank} have "
                f"what the grid left of the others; set n_components to at most {rank}"
            )
            warnings.warn(message, UserWarning, stacklevel=4)

    def _best(self, rest: Complement, first: list[Array]) -> Callable[[float], Direction]:
        """Return the search of the best direction under a penalty, from given coordinates."""

        def best(lam: float) -> Direction:
            ends = [rest.best(lam, a, self.n_angles, self.n_halvings) for a in first]
            return max(ends, key=lambda end: end.objective)

        return best

    def _wanted(self) -> list[int]:
        wanted = super()._wanted()
        return [wanted[j] for j in self._order]


class Direction(NamedTuple):
    """A direction of large scale: its loading, its coordinates in the complement, its scale and its objective."""

    loading: Array
    coordinates: Array
    scale: float
    objective: float


class Basis(NamedTuple):
    """An orthonormal basis, as reflected unit vectors of d features: row j is ``e_i - weights_j normals``.

    This takes the memory of a few rows, not of a matrix of features by features.

    Parameters
    ----------
    origin : ndarray of int, shape (q,)
        The feature i of each row.
    weights : ndarray of shape (q, n_reflections)
    normals : ndarray of shape (n_reflections, d)
    """

    origin: Indices
    weights: Array
    normals: Array

    @classmethod
    def of(cls, features: Indices, d: int) -> Basis:
        """Return the unit vectors of some features."""
        return cls(features, np.empty((len(features), 0)), np.empty((0, d)))

    @property
    def touched(self) -> Indices:
        """The features that reflections moved, ascending."""
        return np.flatnonzero(self.normals.any(axis=0))

    @property
    def n_features(self) -> int:
        """How many features a vector of the span can have."""
        return len(np.union1d(self.origin, self.touched))

    def vector(self, a: Array) -> Array:
        """Return the vector with coordinates a."""
        w = -(a @ self.weights) @ self.normals
        w[self.origin] += a
        return np.asarray(w)

    def reflected(self, normal: Array) -> Basis:
        """Subtract from all rows twice their part along a unit vector, whose coordinates are `normal`."""
        return Basis(
            self.origin,
            np.column_stack([self.weights, 2.0 * normal]),
            np.vstack([self.normals, self.vector(normal)]),
        )

    def without(self, j: int) -> Basis:
        """Return the basis without row j."""
        return Basis(np.delete(self.origin, j), np.delete(self.weights, j, axis=0), self.normals)


class Complement:
    """The orthogonal complement of the loadings found: an orthonormal basis, and the samples in its coordinates.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    kind : int
        Which scale, of `SCALES`.
    """

    def __init__(self, X: Array, kind: int) -> None:
        self.kind = kind
        varying = np.flatnonzero(X.any(axis=0))
        self.basis = Basis.of(varying, X.shape[1])
        self.samples = np.ascontiguousarray(X.T[varying])
        self.scales = self._scales()
        self.mean_square = float(self.scales @ self.scales) / X.shape[1]
        self._floor = math.sqrt(X.shape[1] * EPS * float(self.scales @ self.scales))

    @property
    def exhausted(self) -> bool:
        """Whether no coordinate has a scale."""
        return bool(self.scales.max(initial=0.0) <= self._floor)

    def _scales(self) -> Array:
        return np.array([scale_of(y, self.kind) for y in self.samples])

    @property
    def order(self) -> Indices:
        """The coordinates by decreasing scale."""
        return np.argsort(-self.scales, kind="stable")

    def peak(self) -> Array:
        """Return the coordinates of the direction of a coordinate alone, the one of largest scale."""
        a = np.zeros(len(self.scales))
        a[self.order[0]] = 1.0
        return a

    def coordinates(self, w: Array) -> Array:
        """Return the coordinates of a vector, scaled to unit length; `peak` if it has no part in the complement."""
        a = w[self.basis.origin] - self.basis.weights @ (self.basis.normals @ w)
        return unit(a) if np.linalg.norm(a) > TINY * np.linalg.norm(w) else self.peak()

    def best(self, lam: float, first: Array, n_angles: int, n_halvings: int) -> Direction:
        """Search the best direction under a penalty, from the coordinates `first`."""
        penalty = lam * self.mean_square
        touched = self.basis.touched
        place = np.full(self.basis.normals.shape[1], -1)
        place[touched] = np.arange(len(touched))
        rows = place[self.basis.origin], self.basis.weights, np.ascontiguousarray(self.basis.normals[:, touched])
        a, scale, objective = _search(self.samples, *rows, self.order, first, penalty, self.kind, n_angles, n_halvings)
        loading = self.basis.vector(a)
        loading = unit(np.where(np.abs(loading) < TINY, 0.0, loading))
        return Direction(loading, a, scale, objective)

    def remove(self, a: Array) -> None:
        """Reflect so that the first coordinate of the order becomes a, and remove that coordinate."""
        first = int(self.order[0])
        normal = -a
        normal[first] += 1.0
        if np.linalg.norm(normal) > EPS:
            normal = unit(normal)
            self.basis = self.basis.reflected(normal)
            moved = np.flatnonzero(normal)
            self.samples[moved] -= 2.0 * np.outer(normal[moved], normal @ self.samples)
        self.basis, self.samples = self.basis.without(first), np.delete(self.samples, first, axis=0)
        self.scales = self._scales()


def search_lam(rest: Complement, k: int, best: Callable[[float], Direction]) -> Calibration[Direction]:
    """Find the penalty that leaves k nonzeros, below the first power of two that leaves no more."""

    def fit(lam: float) -> tuple[int, Direction]:
        direction = best(lam)
        return int(np.count_nonzero(direction.loading)), direction

    if k >= rest.basis.n_features:
        found, direction = fit(0.0)
        return Calibration(0.0, found, direction, 1, found == k)
    high, n_fits = 1.0, 1
    found, direction = fit(high)
    while found > k and high < HIGHEST:
        high, n_fits = 2.0 * high, n_fits + 1
        found, direction = fit(high)
    if found == k:
        return Calibration(high, found, direction, n_fits, True)
    search = search_penalty(fit, 0.0, high, k)
    return Calibration(search.penalty, search.n_nonzero, search.result, n_fits + search.n_fits, search.reached)


HIGHEST = 2.0**12
"""The largest penalty to try."""


@njit(cache=True, nogil=True)
def _search(
    Y: Array,
    place: Indices,
    weights: Array,
    normals: Array,
    order: Indices,
    first: Array,
    penalty: float,
    kind: int,
    n_angles: int,
    n_halvings: int,
) -> tuple[Array, float, float]:
    """Return the best direction in coordinates, its scale and objective, from `first`; a row of Y is a coordinate.

    Of the loading w only the entries that reflections moved are kept; `place` holds the position of each coordinate's
    feature among them, or -1.  For any other feature the entry of w is the coordinate itself.
    """
    a = first.copy()
    y, w = _along(a, Y, place, weights, normals)
    others_sum = _outside(a, place, -1)
    best_a, best_scale = a.copy(), scale_of(y, kind)
    best = best_scale**2 - penalty * (np.abs(w).sum() + others_sum)
    for sweep in range(n_halvings + 1):
        width = np.pi * 0.5**sweep
        for j in order:
            if abs(a[j]) >= 1.0 - 1e-15:
                continue
            v = _row(j, place, weights, normals)
            present = np.arcsin(a[j])
            if a[j] != 0.0:
                others = np.cos(present)
                y, w = (y - a[j] * Y[j]) / others, (w - a[j] * v) / others
                a /= others
                others_sum = _outside(a, place, j)
            thetas = present + width * (np.arange(n_angles) / (n_angles - 1) - 0.5)
            if sweep == 0:
                thetas = thetas[:-1]
            if 0.0 < abs(a[j]) < 1e-6 or (sweep == 0 and a[j] != 0.0):
                thetas = np.append(thetas, 0.0)
            a[j] = 0.0
            own = 1.0 if place[j] < 0 else 0.0
            theta = _best_angle(y, Y[j], w, v, others_sum, own, thetas, penalty, kind)
            if theta != 0.0:
                c, s = np.cos(theta), np.sin(theta)
                y, w = c * y + s * Y[j], c * w + s * v
                a *= c
                a[j] = s
                others_sum = _outside(a, place, -1)
        scale = scale_of(y, kind)
        objective = scale**2 - penalty * (np.abs(w).sum() + others_sum)
        if objective > best:
            best, best_scale, best_a = objective, scale, a.copy()
    return best_a, best_scale, best


@njit(cache=True, nogil=True)
def _along(a: Array, Y: Array, place: Indices, weights: Array, normals: Array) -> tuple[Array, Array]:
    """Return the scores of a direction, and its loading on the features that reflections moved."""
    y, w = np.zeros(Y.shape[1]), np.zeros(normals.shape[1])
    for j in range(len(a)):
        if a[j] != 0.0:
            y += a[j] * Y[j]
            w += a[j] * _row(j, place, weights, normals)
    return y, w


@njit(cache=True, nogil=True)
def _row(j: int, place: Indices, weights: Array, normals: Array) -> Array:
    """Return row j of the basis, on the features that reflections moved."""
    v = np.zeros(normals.shape[1])
    for m in range(len(normals)):
        v -= weights[j, m] * normals[m]
    if place[j] >= 0:
        v[place[j]] += 1.0
    return v


@njit(cache=True, nogil=True)
def _outside(a: Array, place: Indices, j: int) -> float:
    """Sum the magnitudes of the entries of w that no reflection moved, but for that of coordinate j."""
    total = 0.0
    for i in range(len(a)):
        if place[i] < 0 and i != j:
            total += abs(a[i])
    return total


@njit(cache=True, nogil=True)
def _best_angle(
    y: Array,
    z: Array,
    w: Array,
    v: Array,
    others_sum: float,
    own: float,
    thetas: Array,
    penalty: float,
    kind: int,
) -> float:
    """Return the angle whose ``cos y + sin z`` has the largest squared scale less the penalty.

    The l1 norm of ``cos w + sin v`` has further terms: `others_sum` for w and `own` for v.
    """
    best, chosen = -np.inf, 0.0
    if kind == SD:
        centred, other = y - y.mean(), z - z.mean()
        yy, yz, zz = (centred**2).mean(), (centred * other).mean(), (other**2).mean()
    turned, gaps, room, last = np.empty(len(y)), np.empty(len(y)), np.empty(len(y)), np.array([0.0, np.inf])
    for theta in thetas:
        c, s = np.cos(theta), np.sin(theta)
        if kind == SD:
            square = c * c * yy + 2.0 * c * s * yz + s * s * zz
        else:
            for i in range(len(y)):
                turned[i] = c * y[i] + s * z[i]
            square = (mad_near(turned, last, gaps, room) if kind == MAD else scale_of(turned, kind)) ** 2
        if penalty > 0.0:
            norm = abs(c) * others_sum + abs(s) * own
            for i in range(len(w)):
                norm += abs(c * w[i] + s * v[i])
            square -= penalty * norm
        if square > best:
            best, chosen = square, theta
    return chosen
