"""Branch and bound over the supports of orthogonal loadings, with a bound that is valid whenever it stops."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from spcabench_methods.certified.apart import best_apart
from spcabench_methods.certified.bounds import eigenvector_on, largest_eigenvalues, rounding, supports
from spcabench_methods.core.arrays import Array, Indices, spread

STEPS, STEPS_OF_A_TUPLE = 40, 30
"""Steps against a subgradient for a node, and for one support of each loading."""

MOST_STALLED, SHORTER, GAINED = 5, 0.5, 0.01
"""After so many steps that close less of the gap than the last share, steps are shorter."""

MOST_TUPLES = 3000
"""A node with no more choices of a support for each loading is not split; each choice is bounded."""

ROUNDS, LOOK = 1500, 10
"""Rounds of the alternating directions for a choice; after so many each its bound is computed."""

MOST_SUPPORTS = 300_000
"""The search is for problems of no more supports of a loading."""

AIM = 1e-4
"""Steps for a choice aim this share below the cut."""

CLIMBS, SETTLED, ORTHOGONAL = 30, 1e-10, 1e-8
"""Rounds that better loadings on their supports, the gain that ends them, and how nearly orthogonal they become."""


def searchable(d: int, counts: Sequence[int]) -> bool:
    """Return whether the supports of each loading are few enough to be held."""
    return all(math.comb(d, k) <= MOST_SUPPORTS for k in counts)


class Node(NamedTuple):
    """For each loading the supports that are left, in rows, the split of S to go on with, and their bound."""

    bound: float
    left: tuple[Indices, ...]
    M: Array


class Split(NamedTuple):
    """The bound of a split S = (S - M) + M, its subgradient, what each support reaches on S - M, and the best there."""

    bound: float
    gradient: Array
    reached: dict[int, Array]
    W: Array


class JointSearch:
    """A search for r orthogonal loadings of at most k_j nonzeros whose variances w'Sw sum to the most.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric, positive semidefinite.
    counts : sequence of int
        The nonzeros k_j, each from 1 to n_features.
    tol : float
        The relative gap at which it ends.
    known : sequence of ndarray of shape (n_features, n_components)
        Loadings with orthonormal columns to begin with.

    Attributes
    ----------
    W : ndarray of shape (n_features, n_components)
        The best loadings so far; zero if none are known.
    value : float
        tr(W'SW).
    n_nodes, n_tuples : int
        Nodes, and choices of a support for each loading, that were bounded.
    """

    def __init__(self, S: Array, counts: Sequence[int], tol: float, known: Sequence[Array] = ()) -> None:
        self._S, self.tol = S, tol
        self.W, self.value = np.zeros((len(S), len(counts))), 0.0
        self.n_nodes = self.n_tuples = 0
        every = {k: supports(len(S), k) for k in set(counts)}
        for W in (*known, best_apart(S, [every[k] for k in counts])):
            self._consider(W)
        bound = float(np.linalg.eigvalsh(S)[-len(counts) :].sum()) + rounding(S, len(counts))
        self._open = [(-bound, 0, Node(bound, tuple(every[k] for k in counts), 0.5 * S))]
        self._n_pushed, self._undecided = 0, 0.0

    @property
    def upper_bound(self) -> float:
        """What no such loadings exceed."""
        return max(self._cut, self._undecided, self._open[0][2].bound if self._open else 0.0)

    @property
    def _cut(self) -> float:
        return self.value * (1.0 + self.tol)

    def run(self, seconds: float, max_nodes: float = math.inf) -> None:
        """Bound nodes until the best loadings are proved, for so many seconds, or so many nodes."""
        end = time.monotonic() + seconds
        while self._open and time.monotonic() <= end and self.n_nodes < max_nodes:
            node = heapq.heappop(self._open)[2]
            if node.bound > self._cut and not self._visit(node, end):
                self._push(node)
                break

    def _push(self, node: Node) -> None:
        self._n_pushed += 1
        heapq.heappush(self._open, (-node.bound, self._n_pushed, node))

    def _visit(self, node: Node, end: float) -> bool:
        """Bound a node, and split what is left; return whether there was time."""
        self.n_nodes += 1
        left = _worth(node.left, {id(one): largest_eigenvalues(self._S, one) for one in node.left}, 0.0, self._cut)
        after = self._descended(node._replace(left=left), end)
        if after is None:
            return time.monotonic() <= end
        if math.prod(len(one) for one in after.left) <= MOST_TUPLES:
            return self._enumerated(after.left, end)
        for kid in self._halves(after):
            self._push(kid)
        return True

    def _descended(self, node: Node, end: float) -> Node | None:
        """Lower the bound of a node by steps, and drop what it excludes; None if nothing is left, or no time."""
        bound, M, left, best, length, stalled = math.inf, node.M, node.left, node.M, 1.0, 0
        for step in range(STEPS):
            if time.monotonic() > end or not all(map(len, left)):
                return None
            split = split_of(self._S, M, left)
            if step in (0, STEPS - 1):
                self._climb(split.W, [np.flatnonzero(w) for w in split.W.T])
            left = _worth(left, split.reached, split.bound, self._cut)
            gained = bound == math.inf or split.bound < bound - GAINED * abs(bound - self._cut)
            stalled = 0 if gained else stalled + 1
            if split.bound < bound:
                bound, best = split.bound, M
            if bound <= self._cut:
                return None
            size = float(np.sum(split.gradient**2))
            if math.prod(map(len, left)) <= MOST_TUPLES or not size:
                break
            if stalled == MOST_STALLED:
                # The step from the best is against the last subgradient, not its own: one evaluation less.
                length, stalled, M = SHORTER * length, 0, best
            M = M - length * (split.bound - self._cut) / size * split.gradient
        return Node(min(bound, node.bound), left, best) if all(map(len, left)) else None

    def _halves(self, node: Node) -> Iterator[Node]:
        """Split at the feature whose presence is least certain: for each loading, supports that have it or lack it."""
        d = len(self._S)
        shares = np.array([np.bincount(one.ravel(), minlength=d) / len(one) for one in node.left])
        feature = int(np.argmax((shares * (1.0 - shares)).sum(axis=0)))
        parts = {(id(one), has): one[(one == feature).any(axis=1) == has] for one in node.left for has in (True, False)}
        kids: dict[tuple[int, ...], tuple[Indices, ...]] = {}
        for has in itertools.product((True, False), repeat=len(node.left)):
            kid = tuple(parts[id(one), each] for one, each in zip(node.left, has, strict=True))
            if all(map(len, kid)):
                kids.setdefault(tuple(sorted(map(id, kid))), kid)  # loadings of one choice may be exchanged
        for kid in kids.values():
            yield node._replace(left=kid)

    def _enumerated(self, left: tuple[Indices, ...], end: float) -> bool:
        """Bound each choice of a support for each loading; return whether there was time."""
        seen = set()
        alone = [dict(zip(map(tuple, one.tolist()), largest_eigenvalues(self._S, one), strict=True)) for one in left]
        for choice in itertools.product(*alone):
            if sum(values[one] for values, one in zip(alone, choice, strict=True)) <= self._cut:
                continue
            if (key := tuple(sorted(choice))) in seen:
                continue
            seen.add(key)
            if time.monotonic() > end:
                return False
            bound = self._bounded([np.array(one) for one in choice], end)
            if time.monotonic() > end:  # the choice is bounded again when the search goes on
                return False
            self._undecided = max(self._undecided, bound)
        return True

    def _bounded(self, choice: list[Indices], end: float) -> float:
        """Bound what loadings on one support each reach; 0 if that is no more than the cut."""
        union = np.unique(np.concatenate(choice))
        S = self._S[np.ix_(union, union)]
        r = len(choice)
        if float(np.linalg.eigvalsh(S)[-r:].sum()) + rounding(S, r) <= self._cut:
            return 0.0
        self.n_tuples += 1
        left = tuple(np.searchsorted(union, one)[None] for one in choice)
        bound, M, best = math.inf, 0.5 * S, 0.5 * S
        for _ in range(STEPS_OF_A_TUPLE):
            split = split_of(S, M, left)
            if split.bound < bound:
                bound, best = split.bound, M
            size = float(np.sum(split.gradient**2))
            if bound <= self._cut or not size:
                break
            M = M - (split.bound - (1.0 - AIM) * self._cut) / size * split.gradient
        nearer = alternated(S, best, left)
        for _ in range(ROUNDS // LOOK):
            if bound > self._cut:
                self._climb(spread(split.W, union, len(self._S)), choice)
            if bound <= self._cut or time.monotonic() > end:
                break
            split = split_of(S, next(nearer), left)
            bound = min(bound, split.bound)
        return bound if bound > self._cut else 0.0

    def _climb(self, W: Array, choice: Sequence[Indices]) -> None:
        """Make loadings orthogonal on their supports, each in turn the best beside the others, and consider them."""
        W, value = W.copy(), 0.0
        for _ in range(CLIMBS):
            for j, support in enumerate(choice):
                _, sizes, V = np.linalg.svd(np.delete(W, j, axis=1)[support].T)
                free = V[int(np.count_nonzero(sizes > ORTHOGONAL)) :].T
                W[:, j] = 0.0
                if free.size:
                    inner = free.T @ self._S[np.ix_(support, support)] @ free
                    W[support, j] = free @ np.linalg.eigh(inner)[1][:, -1]
            before, value = value, float(np.vdot(W, self._S @ W))
            if value - before <= SETTLED * value:
                break
        self._consider(W)

    def _consider(self, W: Array) -> None:
        """Keep loadings if they are better, and orthogonal."""
        value = float(np.vdot(W, self._S @ W))
        if value > self.value and np.abs(W.T @ W - np.eye(W.shape[1])).max() <= ORTHOGONAL:
            self.W, self.value = W, value


def split_of(S: Array, M: Array, left: Sequence[Indices]) -> Split:
    """Bound by parts: the sum of the r largest eigenvalues of M, and of the best of each loading's supports on S - M.

    No orthogonal loadings on these supports exceed that, for any symmetric M.
    """
    r, T = len(left), S - M
    values, vectors = np.linalg.eigh(M)
    bound = float(values[-r:].sum()) + rounding(M, r) + rounding(T, r)
    gradient = vectors[:, -r:] @ vectors[:, -r:].T
    reached: dict[int, Array] = {}
    W: Array = np.zeros((len(S), r))
    for j, one in enumerate(left):
        if id(one) not in reached:
            reached[id(one)] = largest_eigenvalues(T, one)
        best = one[int(np.argmax(reached[id(one)]))]
        bound += float(reached[id(one)].max())
        W[best, j] = eigenvector_on(T, best)
    return Split(bound, gradient - W @ W.T, reached, W)


def alternated(S: Array, M: Array, left: Sequence[Indices]) -> Iterator[Array]:
    """Yield splits of S that come near the best one, by alternating directions, each after `LOOK` rounds.

    It is the dual of the program max sum_j tr(S X_j), X_j positive semidefinite of trace 1 on the support of loading j,
    whose sum Z has eigenvalues from 0 to 1 (Boyd et al. 2011, section 7.3: sharing).
    """
    r, rho = len(left), float(np.linalg.norm(S)) / len(left)
    blocks = [np.ix_(one[0], one[0]) for one in left]
    X, Z, U = np.zeros((r, *S.shape)), np.zeros_like(S), M / rho
    while True:
        for _ in range(LOOK):
            change = Z - U - X.mean(axis=0)
            for x, block in zip(X, blocks, strict=True):
                inner = (x + change)[block] + S[block] / rho
                x[block] = projected(inner, 1.0, 1.0)
            Z = projected(r * (X.mean(axis=0) + U), r, 1.0) / r
            U = U + X.mean(axis=0) - Z
        yield rho * U


def projected(A: Array, total: float, most: float) -> Array:
    """Return the nearest matrix whose eigenvalues are from 0 to `most` and sum to `total`."""
    values, vectors = np.linalg.eigh(A)
    shifts = np.sort(np.concatenate([values, values - most]))
    sums = np.clip(values - shifts[:, None], 0.0, most).sum(axis=1)
    shift = np.interp(-total, -sums, shifts)
    return np.asarray((vectors * np.clip(values - shift, 0.0, most)) @ vectors.T)


def _worth(left: tuple[Indices, ...], reached: dict[int, Array], bound: float, cut: float) -> tuple[Indices, ...]:
    """Drop the supports whose loading, with the best of the others, does not exceed the cut.

    `bound` is what the best of all reach together; 0 for their sum.
    """
    best = {one: float(values.max()) for one, values in reached.items()}
    bound = bound or sum(best[id(one)] for one in left)
    kept = {id(one): one[reached[id(one)] + (bound - best[id(one)]) > cut] for one in left}
    return tuple(kept[id(one)] for one in left)
