"""How far a sparse loading is from the best one of its cardinality, and whether any other support is as good."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from spcabench_methods.certified.bounds import dip, root_bounds
from spcabench_methods.certified.search import Search, of_cardinality
from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.moments import GRAM_LIMIT, Gram
from spcabench_methods.core.samples import column_means

MARGIN = 1e-6
"""Another support is as good if its largest eigenvalue is this share less, or more."""

STEP = 50
"""Nodes of a search between looks at whether it has decided."""


class Uniqueness:
    """For each feature of the best support, a search for the best support without it; it can be stopped, and goes on.

    Parameters
    ----------
    moments : Gram
        Second moments; not changed.
    support : ndarray of int
        The best support, with fewer features than there are.
    """

    def __init__(self, moments: Gram, support: Indices) -> None:
        self._target = moments.leading_pair(support)[0] * (1.0 - MARGIN)
        self._moments, self._left, self._k = moments, list(support), len(support)
        self._search: Search | None = None
        self.unique: bool | None = None
        """True if no other support is as good, False if one is known; None as long as neither is shown."""

    def run(self, seconds: float) -> None:
        """Search until it is decided, or for so many seconds."""
        end = time.monotonic() + seconds
        while self.unique is None and time.monotonic() <= end:
            if not self._left:
                self.unique = True
            elif self._decided(end):
                self._left.pop()
                self._search = None

    def _decided(self, end: float) -> bool:
        """Go on with the feature at hand; return whether no support without it is as good."""
        if self._search is None:
            others = np.delete(np.arange(self._moments.n_features), self._left[-1])
            self._search = Search(self._moments.restricted(others), self._k, MARGIN / 20)
        search = self._search
        if search.value >= self._target:
            self.unique = False
        elif search.upper_bound >= self._target:
            search.run(search.n_nodes + STEP, search.elapsed + end - time.monotonic())
        return search.upper_bound < self._target


ASYMMETRY = 1e-8
"""A matrix whose halves differ by more than this share of its largest entry is not symmetric."""

LEAST_TOL = 1e-12

FEW_NODES = 30
"""Nodes of the search before bounds are computed by formula; the dual bound takes as long as some ten nodes."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is proved of a loading w and of its support.

    Parameters
    ----------
    value : float
        w'Sw of the unit loading.
    support : ndarray of int
        Where it is nonzero.
    refit_value : float
        The largest eigenvalue of S on that support: what the best weights would reach.
    best_value : float
        The largest value of k nonzeros that is known.
    best_support : ndarray of int
        Its support.
    upper_bound : float
        No unit vector with k nonzeros has a larger value.
    bound_kind : str
        How that was proved: ``eigenvalue``, ``trace``, ``row``, ``cassini``, ``weighted_row``,
        ``support_dual`` or ``search``.
    gap, support_gap : float
        ``(upper_bound - value) / upper_bound``, and the same of `refit_value`: a right support with wrong weights
        is a different fault from a wrong support.
    status : {"optimal", "improvable", "open"}
        The support is proved optimal; a better one is returned; or a limit came before either.
    certified, support_certified, best_certified : bool
        Whether `value`, `refit_value` and `best_value` are within `tol` of the bound.
    unique : bool or None
        Whether every other support of as many features is worse than `best_support` by a share of 1e-6 or more; None
        if that was not asked for, or neither was shown.
    n_nodes, n_fixed_in, n_fixed_out : int
        The size of the search; 0 if no search was needed.
    """

    value: float
    support: Indices
    refit_value: float
    best_value: float
    best_support: Indices
    upper_bound: float
    bound_kind: str
    gap: float
    support_gap: float
    status: Literal["optimal", "improvable", "open"]
    certified: bool
    support_certified: bool
    best_certified: bool
    unique: bool | None
    n_nodes: int
    n_fixed_in: int
    n_fixed_out: int


def certify(
    S: Any,
    w: Any,
    k: int | None = None,
    *,
    tol: float = 1e-7,
    time_limit: float = 10.0,
    max_nodes: int = 100_000,
    uniqueness: bool = False,
) -> Certificate:
    """Prove how far a loading is from the best one with as many nonzeros.

    Parameters
    ----------
    S : array_like of shape (n_features, n_features) or (n_samples, n_features)
        A covariance, symmetric and positive semidefinite; or samples, which are centred, and of which X'X/n is taken.
        A square matrix is a covariance.
    w : array_like of shape (n_features,)
        The loading, not zero; it is normalised.
    k : int, optional
        The cardinality, at least the number of nonzeros of `w`, which is the default.
    tol : float, default=1e-7
        The relative gap that counts as none, at least 1e-12.
    time_limit : float, default=10.0
        Seconds of the search, at least 0.
    max_nodes : int, default=100000
        Nodes of the search.
    uniqueness : bool, default=False
        Search also for other supports as good as the best one, for `time_limit` seconds again.

    Returns
    -------
    Certificate

    Raises
    ------
    ValueError
        If the shapes do not fit, S is square and not symmetric, or has an eigenvalue clearly below zero, a number is
        not finite, `w` is zero, or `k` is smaller than its number of nonzeros or larger than the number of features.

    Notes
    -----
    The problem is to maximise w'Sw over unit vectors with at most k nonzeros.  A branch and bound over supports bounds
    all rows of a node at once by weighted row sums, eliminates the features known to be in the support, and fixes those
    that the bound decides.  If its first nodes do not end it, bounds by formula are computed before it goes on.  The
    bound is valid whenever it is stopped.

    References
    ----------
    A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component analysis, Journal of
    Machine Learning Research 9, 2008, 1269-1294: the dual bound of a support.
    L. Berk and D. Bertsimas, Certifiably optimal sparse principal component analysis, Mathematical Programming
    Computation 11, 2019, 381-420: branch and bound with bounds by rows.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import certify
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> proof = certify(S, [1.0, 1.0, 0.0])
    >>> proof.status, round(proof.value, 6), proof.certified
    ('optimal', 6.0, True)
    """
    moments, loading = moments_of(S), np.asarray(w, dtype=float)
    if loading.shape != (moments.n_features,) or not np.isfinite(loading).all():
        raise ValueError(f"w has shape {loading.shape}; valid is a finite vector of {moments.n_features} entries")
    if not tol >= LEAST_TOL:
        raise ValueError(f"tol is {tol}; valid is {LEAST_TOL} or more, as rounding is not much less")
    support = np.flatnonzero(loading)
    wanted = len(support) if k is None else k
    if not 1 <= len(support) <= wanted <= moments.n_features:
        raise ValueError(
            f"w has {len(support)} nonzeros and k is {k}; valid is a loading that is not zero, and k from its number "
            f"of nonzeros to {moments.n_features}"
        )
    found = certificate(moments, loading / np.linalg.norm(loading), wanted, tol, time_limit, max_nodes)
    return replace(found, unique=unique(moments, found, wanted, time_limit)) if uniqueness else found


def unique(moments: Gram, found: Certificate, k: int, time_limit: float) -> bool | None:
    """Return whether the best support is the only one that is as good; None if neither is shown."""
    if not found.best_certified:
        return None
    if len(found.best_support) < k or not found.best_value:
        return False  # the rest of the k features can be chosen at will
    if k == moments.n_features:
        return True
    search = Uniqueness(moments, found.best_support)
    search.run(time_limit)
    return search.unique


def moments_of(S: Any) -> Gram:
    """Return the second moments of a covariance or of samples; raise a ValueError if S is neither."""
    matrix = np.asarray(S, dtype=float)
    if matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
        raise ValueError(f"S has shape {matrix.shape}; valid is a finite matrix: a covariance, or samples")
    if matrix.shape[1] > GRAM_LIMIT:
        raise ValueError(
            f"S has {matrix.shape[1]} features; valid is at most {GRAM_LIMIT}: all their products are held"
        )
    if matrix.shape[0] != matrix.shape[1]:
        return Gram.of(matrix, column_means(matrix))
    if np.abs(matrix - matrix.T).max() > ASYMMETRY * np.abs(matrix).max():
        raise ValueError(
            "S is square and not symmetric; valid is a covariance, or samples that are not as many as features"
        )
    matrix = 0.5 * (matrix + matrix.T)
    if np.isinf(dip(matrix)):
        raise ValueError("S is square and has eigenvalues below zero; valid is a covariance")
    return Gram(matrix)


def certificate(moments: Gram, loading: Array, k: int, tol: float, time_limit: float, max_nodes: int) -> Certificate:
    """Return what `certify` does of a unit loading and second moments that are a matrix."""
    search = Search(moments, k, tol / 2, of_cardinality(moments, loading, k))
    support = np.flatnonzero(loading)
    value = float(moments.quadratic(loading))
    refit = max(value, float(moments.quadratic(moments.leading(support))))
    kind, bound, found = _proved(moments, search, tol, time_limit, max_nodes)
    better = found > refit * (1 + tol)
    best = found if better else refit
    bound = max(bound, best)
    gap, support_gap, best_gap = (
        max(0.0, bound - reached) / bound if bound > 0 else 0.0 for reached in (value, refit, best)
    )
    return Certificate(
        value=value,
        support=support,
        refit_value=refit,
        best_value=best,
        best_support=search.support if better else support,
        upper_bound=bound,
        bound_kind=kind,
        gap=gap,
        support_gap=support_gap,
        status="improvable" if better else "optimal" if support_gap <= tol else "open",
        certified=gap <= tol,
        support_certified=support_gap <= tol,
        best_certified=best_gap <= tol,
        unique=None,
        n_nodes=search.n_nodes,
        n_fixed_in=search.n_fixed_in,
        n_fixed_out=search.n_fixed_out,
    )


def _proved(moments: Gram, search: Search, tol: float, time_limit: float, max_nodes: int) -> tuple[str, float, float]:
    """Return how the least bound was found, that bound, and the best value.

    Most searches end within a few nodes, before the formulas are computed; the others go on after them.
    """
    varying = np.flatnonzero(moments.diagonal)
    if not len(varying):
        return "trace", 0.0, 0.0
    search.run(min(max_nodes, FEW_NODES), time_limit)
    if search.upper_bound <= search.value * (1 + tol):
        return "search", search.upper_bound, search.value
    S = np.ascontiguousarray(moments.S[np.ix_(varying, varying)])
    known = root_bounds(S, search.k, np.searchsorted(varying, search.support))
    kind = min(known, key=lambda name: known[name])
    bound = max(known[kind], search.value)
    if bound > search.value * (1 + tol):
        search.run(max_nodes, time_limit)
    if search.upper_bound <= bound:
        return "search", search.upper_bound, search.value
    return kind, max(bound, search.value), search.value
