"""SPCAGrid: loadings of largest robust scale, found by searching the angle to one coordinate after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import per_component, warn
from spcabench_methods.core.constraints import SHARED, number, one_or_each, whole, words
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Started
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.searches import Calibration, Searches, search_penalty, single_fit
from spcabench_methods.robust.complement import Complement, Direction, coordinates
from spcabench_methods.robust.scales import SCALES, spatial_median


@dataclass(eq=False, repr=False, kw_only=True)
class SPCAGrid(Started, Counted):
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

    scale: str = "mad"
    lam: float | Sequence[float] | None = None
    centre: str = "spatial"
    init: str | ArrayLike = "max_variance"
    n_angles: int = 25
    n_halvings: int = 10

    _parameter_constraints = SHARED | {
        "scale": [words("sd", "mad", "qn")],
        "lam": [None, *one_or_each(number())],
        "centre": [words("spatial", "median", "mean")],
        "n_angles": [whole(3)],
        "n_halvings": [whole(0)],
    }

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        if self.n_angles % 2 == 0:
            raise ValueError(f"n_angles is {self.n_angles}; valid is an odd number, so that the present angle is tried")
        double = X.astype(np.float64, copy=False)
        centre = mean
        if self.centre != "mean":
            centre = spatial_median(double) if self.centre == "spatial" else np.median(double, axis=0)
        return centre, np.subtract(double, centre, order="C"), Samples(X, mean)

    def _components(self, X: Array) -> list[Component]:
        self._only_one("n_nonzero", "lam")
        counts = self._counts(X.shape[1])
        lams = None if self.lam is None else per_component(self.lam, self.n_components, "lam")
        rest = Complement(X, SCALES[self.scale])
        starts = self._starts(X.shape[1])
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
            warn(message)

    def _best(self, rest: Complement, first: list[Array]) -> Callable[[float], Direction]:
        """Return the search of the best direction under a penalty, from given coordinates."""

        def best(lam: float) -> Direction:
            ends = [rest.best(lam, a, self.n_angles, self.n_halvings) for a in first]
            return max(ends, key=lambda end: end.objective)

        return best

    def _wanted(self) -> list[int]:
        wanted = super()._wanted()
        return [wanted[j] for j in self._order]


def search_lam(rest: Complement, k: int, best: Callable[[float], Direction]) -> Calibration[Direction]:
    """Find the penalty that leaves k nonzeros, below the first power of two that leaves no more."""

    def fit(lam: float) -> tuple[int, Direction]:
        direction = best(lam)
        return int(np.count_nonzero(direction.loading)), direction

    if k >= rest.basis.n_features:
        return single_fit(fit, 0.0, k)
    high = single_fit(fit, 1.0, k)
    while high.n_nonzero > k and high.penalty < HIGHEST:
        high = replace(single_fit(fit, 2.0 * high.penalty, k), n_fits=high.n_fits + 1)
    if high.reached:
        return high
    search = search_penalty(fit, 0.0, high.penalty, k)
    return replace(search, n_fits=high.n_fits + search.n_fits)


HIGHEST = 2.0**12
"""The largest penalty to try."""
