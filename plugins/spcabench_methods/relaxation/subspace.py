"""Fantope projection and selection of a subspace: all components share their features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from spcabench_methods.core.arrays import Array, Indices, spread
from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import cardinalities
from spcabench_methods.core.constraints import SHARED, number, whole, words
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Whole
from spcabench_methods.core.searches import search_penalty, single_fit
from spcabench_methods.relaxation.fantope import Bounded, maximise, strongest_covariances
from spcabench_methods.relaxation.fps import chosen

SUPPORT = 1e-6
"""A feature is selected if its diagonal entry of Z exceeds this."""
SEARCH_RTOL = 1e-4


@dataclass(eq=False, repr=False)
class SubspaceFPS(Whole):
    """A sparse principal subspace by Fantope projection and selection.

    The convex problem ``maximise tr SZ - lam sum_ij |Z_ij|`` over symmetric Z with ``0 <= Z <= I`` and
    trace r = n_components is solved, where S = X'X/n of centred X.  Z estimates the projector on the leading subspace;
    its features are those with a diagonal entry above 1e-6.  By default the loadings are the leading eigenvectors of S
    on these features.  Otherwise they span the leading eigenvectors of Z: if Z splits into blocks, each loading has the
    features of one, and the loadings of a block have uncorrelated scores.  Features of blocks without a loading are
    left out.  Of the features without a covariance
    above lam in magnitude only the r of largest variance stay.  For the solvers see `FPS`, which finds one component at
    a time.

    An iteration over the m features left costs O(m^3), after O(n d^2) for S, which is always formed: samples of more
    than 16384 features raise an error.  A search takes about ten fits, 15 at most.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int or None, default=None
        Requested features of all components together, at least 1; n_features or more: no penalty.  `fit` searches
        `lam` by bisection.  A component misses it if no penalty reaches it, or has the features of one block alone, see
        `exact_cardinality_`.  None, if `lam` is None too: the square root of n_features, rounded up.
    lam : float or None, default=None
        The penalty instead of `n_nonzero`, at least 0, in the units of S (a variance).
    refit : bool, default=True
        Take the leading eigenvectors of S on the features, not those of Z.
    solver : {"admm", "gradient"}, default="admm"
        How the problem is solved; both solve the same one.
    step : float, default=0.5
        More than 0.  For "gradient": the length of its steps, divided by the largest variance.
    tol : float, default=1e-6
        At least 0.  Stop when Z is this close to the Fantope, and moves by no more, divided by the square root of r.
    max_iter : int, default=5000
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds ``tr SZ - lam sum |Z|`` for every component alike.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    upper_bound_ : ndarray of shape (n_components,)
        The dual bound on `objective_`, for every component alike.
    eigenvalues_ : ndarray of shape (n_components,)
        The largest eigenvalues of Z; where Z is a projector, all are 1.
    exact_cardinality_, calibrated_params_, n_fits_
        See `SearchedComponents`; only after a search.

    References
    ----------
    V. Q. Vu, J. Cho, J. Lei and K. Rohe, Fantope projection and selection: a near-optimal convex relaxation of sparse
    PCA, Advances in Neural Information Processing Systems 26, 2013, 2670-2678: the problem, and algorithm 1.
    Y. Qiu, J. Lei and K. Roeder, Gradient-based sparse principal component analysis with extensions to online learning,
    Biometrika 110, 2023, 339-360: the solver "gradient", here with the projection on the Fantope itself and not with
    an exact penalty for it.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SubspaceFPS
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> SubspaceFPS(n_components=2, lam=0.3, refit=False, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    n_nonzero: int | None = None
    _: KW_ONLY
    lam: float | None = None
    refit: bool = True
    solver: str = "admm"
    step: float = 0.5
    tol: float = 1e-6
    max_iter: int = 5000

    _parameter_constraints = SHARED | {
        "n_nonzero": [None, whole(1)],
        "lam": [None, number()],
        "solver": [words("admm", "gradient")],
        "step": [number(closed="neither")],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        self._only_one("n_nonzero", "lam")
        varying = np.flatnonzero(moments.diagonal)
        S = self._matrix(moments).restricted(varying).S
        r = int(np.count_nonzero(moments.principal(self.n_components)[0]))
        self.upper_bound_, self.eigenvalues_ = np.zeros((2, self.n_components))
        if r:
            found = self._found(S, r, moments.n_features)
            self.upper_bound_[:], self.eigenvalues_[:r] = found.upper_bound, found.eigenvalues
            for w in spread(found.W, varying, moments.n_features).T:
                yield Component(w, found.objective, found.n_iter, found.converged)
        yield from [Component(np.zeros(moments.n_features), 0.0, n_iter=0)] * (self.n_components - r)

    def _found(self, S: Array, r: int, n_features: int) -> Subspace:
        scale = float(S.diagonal().max())

        def fit(lam: float) -> tuple[int, Subspace]:
            solve = chosen(self.solver, self.step)
            found = subspace(S, r, maximise(solve, S / scale, r, lam / scale, self.tol, self.max_iter), self.refit)
            found = found._replace(objective=scale * found.objective, upper_bound=scale * found.upper_bound)
            return int(np.count_nonzero(found.W.any(axis=1))), found

        if self.lam is not None:
            return fit(self.lam)[1]
        (k, *_) = cardinalities(self.n_nonzero, 1, n_features)
        end = 0.0 if k >= len(S) else float(strongest_covariances(S).max())
        inside = r < k < len(S)
        search = search_penalty(fit, 0.0, end, k, narrow=SEARCH_RTOL) if inside else single_fit(fit, end, k)
        self.n_fits_ = search.n_fits
        self.calibrated_params_ = {"n_nonzero": None, "lam": search.penalty}
        return search.result


class Subspace(NamedTuple):
    """Loadings as columns, the eigenvalues of Z that they belong to, and how the iterations ended."""

    W: Array
    eigenvalues: Array
    objective: float
    upper_bound: float
    n_iter: int
    converged: bool


def subspace(S: Array, r: int, found: Bounded, refit: bool) -> Subspace:
    """Take r loadings from Z in the order of their variances.

    Each has the features of one block of Z, as it is; refitted, they have those of all these blocks.
    """
    Z = found.solution.Z
    blocks = [found.kept[block] for block in blocks_of(Z)]
    if sum(map(len, blocks)) < r:  # it ended before Z had selected enough
        blocks = [found.kept[np.sort(np.argsort(-found.solution.P.diagonal(), kind="stable")[:r])]]
    whole = np.zeros_like(S)
    whole[np.ix_(found.kept, found.kept)] = Z
    pairs = [leading_eigenvectors(whole[np.ix_(b, b)], min(r, len(b))) for b in blocks]
    ranked = [
        (-round(value, 6), -float(v @ S[np.ix_(b, b)] @ v), t)
        for t, (b, (values, vectors)) in enumerate(zip(blocks, pairs, strict=True))
        for value, v in zip(values, vectors.T, strict=True)
    ]
    chosen = [t for _, _, t in sorted(ranked)[:r]]
    if refit:
        features = np.sort(np.concatenate([blocks[t] for t in set(chosen)]))
        W = spread(leading_eigenvectors(S[np.ix_(features, features)], r)[1], features, len(S))
    else:
        bases = [spread(pairs[t][1][:, : chosen.count(t)], blocks[t], len(S)) for t in sorted(set(chosen))]
        W = np.hstack([V @ leading_eigenvectors(V.T @ S @ V, V.shape[1])[1] for V in bases])
        W = W[:, np.argsort(-np.einsum("ij,ij->j", W, S @ W), kind="stable")]
    eigenvalues = np.sort(np.concatenate([values for values, _ in pairs]))[::-1][:r]
    solution = found.solution
    return Subspace(W, eigenvalues, found.objective, found.upper_bound, solution.n_iter, solution.converged)


def blocks_of(Z: Array) -> list[Indices]:
    """Return the features that Z selects, in groups between which it is zero."""
    selected = np.flatnonzero(Z.diagonal() > SUPPORT)
    n_blocks, labels = connected_components(Z[np.ix_(selected, selected)] != 0.0, directed=False)
    return [selected[labels == t] for t in range(n_blocks)]
