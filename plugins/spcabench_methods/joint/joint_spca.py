"""JointSPCA: sparse components that are best together, by a criterion of all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from spcabench_methods.certified.apart import best_apart
from spcabench_methods.certified.bounds import supports
from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.constraints import SHARED, number, whole, words
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted
from spcabench_methods.greedy.splicing import Splicing
from spcabench_methods.joint.ascent import Ascent, Rows
from spcabench_methods.joint.limited import ROUNDING
from spcabench_methods.joint.orthogonal import FEW
from spcabench_methods.joint.quotients import CRITERIA, nearness
from spcabench_methods.joint.rotated import turned
from spcabench_methods.rotation.varimax import Rotation

PATIENCE = 10.0
"""An ascent that would not become the best if it gained so many times what its last sweep did goes no further."""

WORTH = 1e-5
"""Loadings are found anew as long as that adds more than this share."""

LOOKED_AT = 1000
"""Supports that are looked at for a start that shares no feature."""

MANY, FORWARD = 24, 2
"""With more nonzeros in a loading only so many starts, those of the largest criterion, are gone on from.

Loadings are then found anew once."""

ART_TOL = 0.01
"""The start by rotation stops when a loading moves by less than this."""

ART_ITERATIONS = 200
"""The most iterations of the start by rotation."""


@dataclass(eq=False, repr=False, kw_only=True)
class JointSPCA(MomentComponents, Counted):
    """Sparse principal components that are best together.  This method is of this project; no paper has it.

    Components found one after the other are each best after those before, and not best together.  This finds a local
    maximum of a criterion of all loadings W, unit columns with k_j nonzeros, where S = X'X/n of centred X:

    - "span": tr(P S), P the projector on the span of W: what the span of the loadings keeps,
    - "regression": ``tr(S W (W'SW)^-1 W'S)``: how much of all variables the scores predict,
    - "adjusted": the sum of squares of the diagonal of R, ``S^(1/2) W = Q R``: what each score adds to those before it,
    - "orthogonal": tr(W'SW) with W'W = I.

    The span can be bought with likeness: two loadings that are nearly alike span the direction of their difference, at
    no cost.  So magnitudes of cosines w_i'w_j are limited, and the adjusted variance, `explained_variance_ratio_`, and
    `largest_cosine_` belong beside the span.

    Derivation.  Fix all columns but w, and let Q be an orthonormal basis of them, M = I - QQ'.  The projector on the
    span of Q and w is QQ' + Mww'M / w'Mw, so that w adds w'Aw / w'Mw with A = M S M.  On a support the best w is the
    leading generalised eigenvector of the blocks of A and M.  "regression" is the same with M the covariance that the
    scores of the others leave, and A = MM.  Of "adjusted", whose value is a sum of such quotients, the quotient of the
    same gradient takes their place, and a step counts only if the criterion rises.  In a sweep each column in
    turn becomes the best on its support; then a feature of small weight is exchanged for one of large gradient
    A w - v M w, v the quotient, as long as that raises the criterion, which never falls.  A loading too near to others
    is found with a penalty on its cosines.

    Starts are components by `Splicing`, by varimax and `n_init` of `SPCArt`: eigenvectors as they are, and rotated;
    also the best ones that share no feature, where each has at most 5000 supports.
    From the best end each loading and each pair is found anew by `Splicing` of what the others leave, as long as an
    ascent from there ends higher.  Orthogonal loadings also begin with a sweep for the span, as
    orthogonality leaves few exchanges.

    A sweep costs O(r e (k^3 + k^2 r + d r)) for e exchanges and the products S w.  Of more than 1000 features only the
    rows of S are computed that exchanges need.  An ascent that would not become the best if it gained ten times what
    its last sweep did goes no further.  With more than 24 nonzeros in a loading only the two starts of the largest
    criterion are gone on from, and loadings are found anew once.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        truncation.  None: the square root of n_features, rounded up.
    criterion : {"span", "regression", "adjusted", "orthogonal"}, default="span"
        What is maximised.
    limit : float, default=0.1
        From 0 to 1.  The largest magnitude of a cosine of two loadings; a pair of a start that exceeds it may stay, but
        not rise.  1: no limit.  0 is not orthogonality, as such pairs may stay: take criterion="orthogonal" for that,
        which ignores the limit.
    n_init : int, default=24
        At least 1.  Rotations of the eigenvectors; they are the same in each fit.
    tol : float, default=1e-6
        At least 0.  Stop when a sweep adds no more than this share of the criterion.
    max_iter : int, default=100
        At least 1.  The most sweeps.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw, `n_iter_per_component_` the sweeps for every component.  Others: see `SparseComponents`.
    criterion_ : float
        The criterion, as a share of the total variance.
    largest_cosine_ : float
        The largest magnitude of a cosine of two loadings.

    References
    ----------
    H. Shen and J. Z. Huang, Sparse principal component analysis via regularized low rank matrix approximation, Journal
    of Multivariate Analysis 99, 2008, 1015-1034: the criterion of the span.
    H. Zou, T. Hastie and R. Tibshirani, Sparse principal component analysis, Journal of Computational and Graphical
    Statistics 15, 2006, 265-286: adjusted variance, section 3.4.
    G. M. Merola, Least squares sparse principal component analysis: a backward elimination approach to attain large
    loadings, Australian and New Zealand Journal of Statistics 57, 2015, 391-429: the criterion of regression.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import JointSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> JointSPCA(n_components=2, n_nonzero=[2, 1], covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    criterion: str = "span"
    limit: float = 0.1
    n_init: int = 24
    tol: float = 1e-6
    max_iter: int = 100

    _parameter_constraints = SHARED | {
        "criterion": [words(*CRITERIA)],
        "limit": [number(0, 1, closed="both")],
        "n_init": [whole(1)],
    }
    _may_miss = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = [min(k, moments.n_features) for k in self._counts(moments.n_features)]
        n_iter, converged = 1, True
        W: Array = np.zeros((moments.n_features, self.n_components))
        if not moments.exhausted and min(counts) < np.count_nonzero(moments.diagonal):
            best, n_iter, converged = self._climbed(moments, counts)
            W, reached = best.W, best.value
        else:
            W = moments.principal(self.n_components)[1]
            reached = float(np.vdot(W, moments.matvec(W)))
        self.criterion_ = reached / (moments.trace or 1.0)
        variances = np.array([moments.quadratic(w) for w in W.T])
        if self.criterion != "adjusted" and len(set(counts)) == 1:
            order = np.argsort(-variances, kind="stable")
            W, variances = W[:, order], variances[order]
        self.largest_cosine_ = nearness(W.T)
        for w, variance in zip(W.T, variances.tolist(), strict=True):
            yield Component(w, variance, n_iter if w.any() else 0, converged)

    def _climbed(self, moments: SecondMoments, counts: list[int]) -> tuple[Ascent, int, bool]:
        """Return the best end, its sweeps, and whether it settled."""
        rows = Rows(moments, self.criterion == "regression")

        def ascent(W: Array, criterion: str = self.criterion) -> Ascent:
            return Ascent(rows, W, counts, criterion, self.limit)

        starts = list(self._starts(moments, counts))
        if self.criterion == "orthogonal":  # among orthogonal loadings features are seldom exchanged
            near = [ascent(W, "span") for W in starts]
            for end in near:
                end.sweep()
            starts += [end.W for end in near]
        ends = [ascent(W) for W in starts]
        many = max(counts) > MANY
        if many:
            ends = sorted(ends, key=_to_rounding, reverse=True)[:FORWARD]
        best = self._raced(ends)
        r = self.n_components
        choices = [list(chosen) for size in (1, 2) if size < r for chosen in combinations(range(r), size)]
        before = -np.inf
        worth = math.inf if many else WORTH
        while best.value > before * (1.0 + worth) and best.n_sweeps < self.max_iter:
            before = best.value
            for chosen in choices:
                best = self._raced([ascent(without(moments, best.W, counts, chosen))], best)
        return best, best.n_sweeps, best.n_sweeps < self.max_iter

    def _raced(self, ends: list[Ascent], best: Ascent | None = None) -> Ascent:
        """Return the best end; one that a few more gains as the last would not make the best goes no further."""
        gains = {id(end): end.sweep() for end in ends}
        for end in sorted(ends, key=_to_rounding, reverse=True):
            gain = gains[id(end)]
            while gain > self.tol * end.value and end.n_sweeps < self.max_iter:
                if best is not None and end.value + PATIENCE * gain <= best.value:
                    break
                gain = end.sweep()
            near = best is not None and end.nearness > max(self.limit, best.nearness) + ROUNDING
            if best is None or (_to_rounding(end) > _to_rounding(best) and not near):
                best = end
        assert best is not None
        return best

    def _starts(self, moments: SecondMoments, counts: list[int]) -> Iterator[Array]:
        """Yield loadings by deflation and by rotation, as columns."""
        r, d = self.n_components, moments.n_features
        if all(math.comb(d, k) <= FEW for k in counts):
            yield best_apart(moments.submatrix(np.arange(d)), [supports(d, k) for k in counts], LOOKED_AT)
        for start in (Splicing(r, counts), Rotation(r, counts)):
            yield np.column_stack([found.loading for found in start._components(moments)])
        random = np.random.default_rng(0)
        turns = [np.eye(r), *(polar(random.standard_normal((r, r))).T for _ in range(self.n_init - 1))]
        if r > 1:  # of one eigenvector this is the start before
            V = anchored(moments.principal(r)[1]).T
            for W in turned(V, np.array(turns), counts, ART_TOL, ART_ITERATIONS):
                yield W.T


def without(moments: SecondMoments, W: Array, counts: list[int], chosen: list[int]) -> Array:
    """Return W with the chosen loadings replaced by components of what the others leave."""
    rest, W = moments.copy(), W.copy()
    for q in np.ascontiguousarray(np.linalg.qr(np.delete(W, chosen, axis=1))[0].T):
        rest.deflate(q)
    sizes = [counts[j] for j in chosen]
    W[:, chosen] = np.column_stack([found.loading for found in Splicing(len(sizes), sizes)._components(rest)])
    return W


def _to_rounding(end: Ascent) -> float:
    """Return the value to nine digits: of ends that are as good the first one counts, whatever the last bits say."""
    return float(f"{end.value:.8e}")


def anchored(V: Array) -> Array:
    """Return columns with signs that make one row positive, so that rotations of them do not depend on their signs.

    Where a feature changes its sign all columns change theirs, or none does.
    """
    row = V[int(np.argmax(np.abs(V).min(axis=1)))]
    return np.where(row < 0.0, -V, V)
