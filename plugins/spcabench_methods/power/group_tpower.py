"""GroupTPower: the power method, truncated to the best k groups of features after each step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array, Indices, unit
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, one_or_each, whole
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Deflated

STARTS = 6
"""So many single groups are starts, those whose features have the largest variances."""
PROMISING = 8
"""So many groups are tried in place of each that is taken out."""
GAIN = 1e-9
"""An exchange that explains more by a smaller share is none."""


@dataclass(eq=False, repr=False)
class GroupTPower(Deflated):
    """Truncated power method that selects groups of features as wholes.

    Each loading is a local solution of: maximise w'Sw subject to ||w|| = 1 and nonzeros in at most k groups, where
    S = X'X/n of centred X, and each feature is in one group.  From a start, w becomes S w on the k groups on which S w
    has the largest norms, scaled to unit length; w'Sw never decreases.  The best end of several starts is taken: the
    leading eigenvector, and loadings on single groups.  Its support then exchanges single groups while that explains
    more, and the loading is the leading eigenvector of S on it.  The next component is by default sought in P S P with
    P = I - w w'.

    With groups of one feature this is `TPower`; with all groups selected it is PCA.  The size of a group is not
    charged: a large group has more variance to offer.

    An iteration costs O(d m) for m features in k groups once S is formed in O(n d^2), or O(n d) where there are far
    more features than samples; a round of exchanges costs O(k m^3).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_groups : int, list of int or None, default=None
        Groups k of a component, at least 1, one number or one per component; all groups or more: no truncation.
        None: the square root of the number of groups, rounded up.
    groups : array-like of shape (n_features,) or None, default=None
        The label of the group of each feature: numbers or texts.  None: each feature is a group.
    polish : bool, default=True
        Exchange groups of the support as long as that explains more: each selected group with those of the others that
        promise most.
    tol : float, default=1e-6
        At least 0.  Stop when w'Sw changes by less than this share, or w by less than a hundredth of it.
    max_iter : int, default=1000
        At least 1.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What is removed before the next component is sought: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    groups_ : list of ndarray
        The labels of the groups that each component selects, sorted.

    References
    ----------
    X.-T. Yuan and T. Zhang, Truncated power method for sparse eigenvalue problems, Journal of Machine
    Learning Research 14, 2013, 899-925, algorithm 1, here with groups in place of features.  M. Chavent and G. Chavent,
    Optimal projected variance group-sparse block PCA, arXiv:1705.00461, 2021, has groups with a penalty on the sum of
    their norms in place of a bound on their number.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import GroupTPower
    >>> S = np.diag([3.0, 1.0, 2.0, 2.0])
    >>> S[2, 3] = S[3, 2] = 1.5
    >>> fitted = GroupTPower(n_components=1, n_groups=1, groups=["a", "a", "b", "b"], covariance="precomputed").fit(S)
    >>> fitted.components_.round(3)
    array([[0.   , 0.   , 0.707, 0.707]])
    >>> fitted.groups_
    [array(['b'], dtype='<U1')]
    """

    n_groups: int | Sequence[int] | None = None
    _: KW_ONLY
    groups: ArrayLike | None = None
    polish: bool = True
    tol: float = 1e-6
    max_iter: int = 1000

    _parameter_constraints = SHARED | {
        "n_groups": [None, *one_or_each(whole(1))],
        "groups": "no_validation",
        "polish": ["boolean"],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        parts = Partition.of(self.groups, moments.n_features)
        default = math.ceil(math.sqrt(parts.n))
        wanted = per_component(default if self.n_groups is None else self.n_groups, self.n_components, "n_groups")
        self.groups_: list[Any] = []

        def find(rest: SecondMoments, j: int) -> Component:
            k = min(int(wanted[j]), parts.n)
            ends = (group_power(rest, parts, k, start, self.tol, self.max_iter) for start in starts(rest, parts))
            end = best_of(ends)
            kept = parts.best(end.loading, k)
            if self.polish:
                kept = exchanged(rest, parts, kept)
            w = rest.leading(parts.features(kept))
            return end._replace(loading=w, objective=rest.quadratic(w))

        for component in self._one_by_one(moments, find):
            self.groups_.append(parts.labels[np.unique(parts.codes[component.loading != 0.0])])
            yield component


class Partition(NamedTuple):
    """Features in groups.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        Of the groups, sorted.
    codes : ndarray of int, shape (n_features,)
        The place of the label of each feature.
    """

    labels: Any
    codes: Indices

    @classmethod
    def of(cls, groups: ArrayLike | None, n_features: int) -> Self:
        """Return the groups that a label for each feature makes.

        Raises
        ------
        ValueError
            If there is not one label for each feature, or one is missing.
        """
        if groups is None:
            return cls(np.arange(n_features), np.arange(n_features))
        labels = np.asarray(groups)
        if labels.shape != (n_features,):
            raise ValueError(
                f"GroupTPower: groups has the shape {labels.shape}; valid is one label for each of the {n_features} "
                "features"
            )
        missing = [place for place, label in enumerate(labels.tolist()) if label is None or label != label]
        if missing:
            raise ValueError(
                f"GroupTPower: the label of feature {missing[0]} in groups is {labels[missing[0]]}; valid is a number "
                "or a text"
            )
        return cls(*np.unique(labels if labels.dtype.kind != "O" else labels.astype(str), return_inverse=True))

    @property
    def n(self) -> int:
        """How many groups there are."""
        return len(self.labels)

    def best(self, z: Array, k: int) -> Indices:
        """Return the k groups on which z has the largest norms, ascending; the first of those that tie."""
        return np.sort(np.argsort(-np.bincount(self.codes, z * z), kind="stable")[:k])

    def features(self, kept: Indices) -> Indices:
        """Return the features of some groups."""
        return np.flatnonzero(np.isin(self.codes, kept))

    def truncated(self, z: Array, k: int) -> Array:
        """Return z on the k groups of largest norms, scaled to unit length."""
        return unit(np.where(np.isin(self.codes, self.best(z, k)), z, 0.0))


def group_power(moments: SecondMoments, parts: Partition, k: int, start: Array, tol: float, max_iter: int) -> Component:
    """Repeat ``w = unit(S w on its k groups of largest norms)`` until w'Sw or w settles."""
    w, z, variance = start, moments.matvec(start), -np.inf
    for n_iter in range(1, max_iter + 1):
        old, old_variance = w, variance
        w = parts.truncated(z, k)
        z = moments.matvec(w)
        variance = float(w @ z)
        if abs(variance - old_variance) < tol * variance or np.linalg.norm(w - old) <= 1e-2 * tol:
            return Component(w, variance, n_iter)
    return Component(w, variance, max_iter, converged=False)


def starts(moments: SecondMoments, parts: Partition) -> list[Array]:
    """Return the leading eigenvector, and the best loadings on the groups of largest variance."""
    largest = np.argsort(-np.bincount(parts.codes, moments.diagonal), kind="stable")[:STARTS]
    alone = [moments.leading(parts.features(np.array([group]))) for group in largest]
    return [moments.principal(1)[1][:, 0], *(w for w in alone if w.any())]


def exchanged(moments: SecondMoments, parts: Partition, kept: Indices) -> Indices:
    """Return a set of as many groups from which no exchange that is tried explains more.

    Of the groups outside, those are tried in place of another that have the largest products with the best loading on
    the rest.
    """
    value = _variance(moments, parts, kept)
    while (found := _better(moments, parts, kept, value)) is not None:
        kept, value = found
    return kept


def _better(moments: SecondMoments, parts: Partition, kept: Indices, value: float) -> tuple[Indices, float] | None:
    for group in kept:
        rest = kept[kept != group]
        along = moments.matvec(moments.leading(parts.features(rest))) if len(rest) else moments.diagonal
        products = np.bincount(parts.codes, along**2)
        products[kept] = -1.0
        for other in np.argsort(-products, kind="stable")[: min(PROMISING, parts.n - len(kept))]:
            tried = np.sort(np.append(rest, other))
            reached = _variance(moments, parts, tried)
            if reached > value * (1.0 + GAIN):
                return tried, reached
    return None


def _variance(moments: SecondMoments, parts: Partition, kept: Indices) -> float:
    features = parts.features(kept)
    return moments.quadratic(moments.leading(features)) if len(features) else 0.0
