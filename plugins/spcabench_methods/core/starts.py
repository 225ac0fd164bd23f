"""The starts of the search for a component, or for a block of components.

Every method with a start has the parameters `init`, `n_init` and `random_state`, and takes these values of `init`:

- ``"ones"``: equal entries, 1/sqrt(n_features);
- ``"pca"``: the leading eigenvector of what the component sees, that is after the deflation of those before it;
- ``"max_variance"``: the unit vector of the feature of largest variance, seen likewise; of features that tie, that of
  the largest entry of the leading eigenvector;
- ``"random"``: `n_init` vectors of normal random numbers, of which the best end by the method's objective is kept;
- an array of shape (n_features,), for all components, or of shape (n_components, n_features), a row for each.

Methods that are sensitive to their start have two more words:

- ``"several"``, their default: what the best of short truncated ascents comes to, and the leading eigenvector, of which
  the best end is kept; see `spcabench_methods.core.default_starts`;
- ``"published"``: the start of the paper.

A method that finds all components together starts from a block: ``"pca"`` has the leading eigenvectors,
``"max_variance"`` the features of largest variance, ``"ones"`` equal entries in each column.  The scores of a block
must be linearly independent.  A column that adds nothing to the scores of those before it makes way for a cosine,
with entries cos(pi m (i - 1/2)/n_features) for feature i and m = 1, 2, ...  So the block of ``"ones"`` is the basis of
the discrete cosine transform: equal entries, half a wave, a whole wave.

Features that do not vary have no part in a start.  A start without variance makes way for ``"max_variance"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, unit
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.core.default_starts import axis, default_starts, distant_features, peak
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import first_largest
from spcabench_methods.truncations.top_k import top_k

Rule = Callable[[SecondMoments, int], Array]
"""``rule(moments, k)`` returns a unit vector for a component of k nonzeros."""

SEVERAL = "several"
"""The word for several cheap starts."""

DEPENDENT = 1e-10
"""A column of a block makes way if it adds no more than this share of the largest variance of a feature."""


def ones(moments: SecondMoments, k: int) -> Array:
    """Start from equal entries."""
    return seen(moments, np.ones(moments.n_features))


def pca(moments: SecondMoments, k: int) -> Array:
    """Start from the leading eigenvector."""
    return moments.principal(1)[1][:, 0]


def max_variance(moments: SecondMoments, k: int) -> Array:
    """Start from the feature of largest variance, whatever the order of those that tie."""
    return axis(moments, peak(moments, moments.diagonal))


def first_variance(moments: SecondMoments, k: int) -> Array:
    """Start from the feature of largest variance, the first of those that tie."""
    return axis(moments, first_largest(moments.diagonal))


def top_variance(moments: SecondMoments, k: int) -> Array:
    """Start from the k features of largest variance, with equal weights."""
    return unit(np.sign(top_k(moments.diagonal, k)))


RULES: Mapping[str, Rule] = {"ones": ones, "pca": pca, "max_variance": max_variance}
"""The starts that follow from the second moments alone, by name."""


def seen(moments: SecondMoments, w: Array) -> Array:
    """Return w on the features that vary, scaled; the feature of largest variance if that has no variance."""
    w = unit(np.where(moments.diagonal > 0.0, w, 0.0))
    return w if moments.quadratic(w) > TIE * moments.diagonal.max() else max_variance(moments, 1)


def multiplied(moments: SecondMoments, w: Array) -> tuple[Array, Array]:
    """Return a start w and S w; if that is zero, start from the feature of largest variance instead."""
    Sw = moments.matvec(w)
    if not np.count_nonzero(Sw):
        w = max_variance(moments, 1)
        Sw = moments.matvec(w)
    return w, Sw


class Starts:
    """The starts of one fit.

    Parameters
    ----------
    init : str or array-like
        A word, or the vectors.
    n_init : int
        How many starts if they are random.
    random : RandomState or Generator
        Draws them.
    n_components, n_features : int
        The shape of the loadings.
    others : mapping of str to Rule
        The words that the method takes beside the common ones.

    Raises
    ------
    ValueError
        If the vectors have the wrong shape, or one is zero or not finite; if no random start is to be drawn.
    """

    def __init__(
        self,
        init: Any,
        n_init: int,
        random: RandomSource,
        n_components: int,
        n_features: int,
        others: Mapping[str, Rule] | None = None,
    ) -> None:
        self.word = init if isinstance(init, str) else ""
        if self.word == "random" and n_init < 1:
            raise ValueError(f"n_init is {n_init}; valid with init='random' is a whole number from 1")
        self.given = None if self.word else checked_starts(init, n_components, n_features)
        self.n_init, self.random = n_init, random
        self.others = others or {}
        self._found: dict[int, list[Array]] = {}

    def vectors(self, rest: SecondMoments, j: int, k: int = 1) -> list[Array]:
        """Return the unit vectors from which component j starts, counted from 0; the same each time.

        Parameters
        ----------
        rest : SecondMoments
            What the component sees.
        j : int
        k : int
            The nonzeros of the component, for the rules that use them.
        """
        if j not in self._found:
            self._found[j] = self._vectors(rest, j, k)
        return self._found[j]

    def _vectors(self, rest: SecondMoments, j: int, k: int) -> list[Array]:
        if self.given is not None:
            return [seen(rest, self.given[j])]
        if self.word == "random":
            return [seen(rest, w) for w in self.random.standard_normal((self.n_init, rest.n_features))]
        if self.word == SEVERAL:
            return default_starts(rest, k)
        rule = self.others.get(self.word) or RULES[self.word]
        return [rule(rest, k)]

    def blocks(self, moments: SecondMoments, vectors: Array, k: int = 1) -> list[Array]:
        """Return the matrices from which a block of components starts.

        Parameters
        ----------
        moments : SecondMoments
        vectors : ndarray of shape (n_features, r)
            As many leading eigenvectors as the block has columns; each explains something.
        k : int
            The nonzeros of a component, for "several".

        Returns
        -------
        list of ndarray of shape (n_features, r)
            Unit columns; their scores are linearly independent.
        """
        d, r = vectors.shape
        if self.given is not None:
            return [independent(moments, self.given[:r].T, vectors)]
        if self.word == "random":
            return [independent(moments, W, vectors) for W in self.random.standard_normal((self.n_init, d, r))]
        if self.word == "ones":
            return [independent(moments, np.ones((d, r)), vectors)]
        if self.word == "max_variance":
            order = np.argsort(-moments.diagonal, kind="stable")
            W = np.zeros((d, r))
            W[order[:r], np.arange(r)] = 1.0
            return [independent(moments, W, vectors)]
        if self.word == SEVERAL:
            W = np.zeros((d, r))
            for j, w in enumerate(distant_features(moments, k, r)):
                W[:, j] = w
            return [vectors, independent(moments, W, vectors)]
        return [vectors]


def independent(moments: SecondMoments, W: Array, vectors: Array) -> Array:
    """Return the columns of W whose scores are linearly independent, and cosines for the others.

    If there are too few of these, return the leading eigenvectors `vectors`.
    """
    d, r = W.shape
    varies = moments.diagonal > 0.0
    least = DEPENDENT * float(moments.diagonal.max())
    columns: list[Array] = []
    basis, products = np.empty((d, 0)), np.empty((d, 0))
    for w in chain(W.T, cosines(d)):
        if len(columns) == r:
            break
        w = unit(np.where(varies, w, 0.0))
        part = w
        for _ in range(2):  # the second time removes the rounding errors of the first
            part = part - basis @ (products.T @ part)
        product = moments.matvec(part)
        variance = float(part @ product)
        if variance > least:
            columns.append(w)
            basis = np.column_stack([basis, part / np.sqrt(variance)])
            products = np.column_stack([products, product / np.sqrt(variance)])
    return np.column_stack(columns) if len(columns) == r else vectors


def cosines(d: int) -> Iterator[Array]:
    """Yield the basis of the discrete cosine transform, but for its first vector, which has equal entries."""
    centres = (np.arange(d) + 0.5) / d
    return (np.cos(np.pi * m * centres) for m in range(1, d))


def checked_starts(init: Any, n_components: int, n_features: int) -> Array:
    """Return the given starts, one row per component; raise a ValueError if they are not valid."""
    valid = f"({n_features},), for all components, or ({n_components}, {n_features}), a row for each"
    try:
        given = np.asarray(init, dtype=np.float64)
    except ValueError:
        raise ValueError(f"init has rows of different lengths; valid is an array of shape {valid}") from None
    if given.shape not in ((n_features,), (n_components, n_features)):
        raise ValueError(f"init has shape {given.shape}; valid is {valid}")
    rows = np.broadcast_to(given, (n_components, n_features))
    if not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise ValueError("init has a start that is zero or not finite")
    return rows
