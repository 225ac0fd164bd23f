"""A node of the search: the supports that have some features and lack others, and what bounds them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.certified.bounds import MOST_DECOMPOSED, largest_eigenvalue
from spcabench_methods.certified.weighted_rows import SLACK, better_weights, probed, row_sums
from spcabench_methods.core.arrays import EPS, Array, Indices

PASSES, BETWEEN_PROBES, WINDOW, LEAST_GAIN = 60, 5, 10, 0.02
"""At most so many passes; features are probed every five; ten that close less than 2 % of the gap are the last."""


@dataclass(frozen=True, eq=False)
class Node:
    """Supports that have all features of `fixed`, and others of `free` up to k.

    Parameters
    ----------
    fixed, free : ndarray of int
        Ascending.
    weights : ndarray of shape (n_free,)
        Where the passes of the bound go on.
    bound : float
        No support in it has a larger eigenvalue, unless that is at most the cut.
    branch : int
        The feature to split at; -1 if it was not bounded yet.
    inside, outside : float
        Bounds of the supports that have that feature, and of those that lack it.
    """

    fixed: Indices
    free: Indices
    weights: Array
    bound: float
    branch: int = -1
    inside: float = np.inf
    outside: float = np.inf

    def child(self, inside: bool) -> Node:
        """Return the half of the node that has the feature of the split, or the half that lacks it."""
        kept = self.free != self.branch
        fixed = np.sort(np.append(self.fixed, self.branch)) if inside else self.fixed
        bound = min(self.bound, self.inside if inside else self.outside)
        return Node(fixed, self.free[kept], self.weights[kept], bound)


class Bounder:
    """Bounds nodes of one problem.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric.
    k : int
        The cardinality, at least 2.
    tol : float
        The relative gap that counts as none.
    """

    def __init__(self, S: Array, k: int, tol: float) -> None:
        self.S, self.k = S, k
        self.n_fixed_in = self.n_fixed_out = 0
        self._nearest = max(1e-6, 1e-13 / tol)
        self._above = 1.0 + SLACK + k * EPS

    def bounded(self, node: Node, cut: float, end: float = np.inf) -> Node | Indices:
        """Bound a node, fix what the bound decides, and choose where to split what is left.

        What it returns instead of a node is the only support that may exceed the cut; empty if none may.

        Parameters
        ----------
        node : Node
        cut : float
            Supports whose eigenvalue is at most this are of no interest.
        end : float
            The bound is not improved any more once the monotonic clock is past this.
        """
        while True:
            settled = self._settled(node)
            if settled is not None:
                return settled
            if len(node.fixed) + len(node.free) <= min(MOST_DECOMPOSED, len(self.S) - 1):  # the root has it already
                features = np.append(node.fixed, node.free)
                whole = largest_eigenvalue(self.S[np.ix_(features, features)])
                if whole <= cut:
                    return NOTHING
                node = replace(node, bound=min(node.bound, whole))
            after = self._passes(node, cut, end)
            if not isinstance(after, Node) or after.branch >= 0:
                return after
            node = after

    def _settled(self, node: Node) -> Indices | None:
        """Return the end of a node in which nothing is left to choose."""
        if len(node.fixed) > self.k:
            return NOTHING
        if len(node.fixed) == self.k:
            return node.fixed
        if len(node.fixed) + len(node.free) <= self.k:
            return np.sort(np.append(node.fixed, node.free))
        return None

    def _passes(self, node: Node, cut: float, end: float) -> Node | Indices:
        """Improve the weights until the node is settled, features are fixed, or nothing is gained any more."""
        rows = self._rows(node, cut)
        m, p, best, best_p, gained_from = self.k - len(node.fixed), rows.start, np.inf, rows.start, np.inf
        for n_pass in range(1, PASSES + 1):
            r, least, next_one = row_sums(rows.S, rows.features, rows.fixed, m, p)
            bound = float(r.max()) * self._above
            if bound < best:
                best, best_p = bound, p
            if best <= cut:
                return NOTHING
            if n_pass % BETWEEN_PROBES == 0:
                probes = probed(rows.S, rows.features, rows.fixed, m, p, r * self._above, least, next_one)
                fixed = self._fixings(node, rows, p, probes, cut)
                if fixed is not None:
                    return fixed
            if n_pass % WINDOW == 0:
                if gained_from - best < LEAST_GAIN * (best - cut):
                    break
                gained_from = best
            if time.monotonic() > end:
                break
            p = better_weights(p, r)
        return self._split(replace(node, bound=min(node.bound, best)), rows, m, best_p, cut)

    def _fixings(
        self, node: Node, rows: Rows, p: Array, probes: tuple[Array, Array], cut: float
    ) -> Node | Indices | None:
        """Fix the features that only one half can have; nothing if there are none."""
        never, always = (bounds[~rows.fixed] <= cut for bounds in probes)
        if not (never.any() or always.any()):
            return None
        if (never & always).any():
            return NOTHING
        self.n_fixed_in += int(always.sum())
        self.n_fixed_out += int(never.sum())
        left = ~(never | always)
        fixed = np.sort(np.append(node.fixed, node.free[always]))
        return Node(fixed, node.free[left], p[~rows.fixed][left], node.bound)

    def _split(self, node: Node, rows: Rows, m: int, p: Array, cut: float) -> Node | Indices:
        """Split at the feature of the largest weight, which is most likely in the support."""
        r, least, next_one = row_sums(rows.S, rows.features, rows.fixed, m, p)
        probes = probed(rows.S, rows.features, rows.fixed, m, p, r * self._above, least, next_one)
        fixed = self._fixings(node, rows, p, probes, cut)
        if fixed is not None:
            return fixed
        free_p, inside, outside = (values[~rows.fixed] for values in (p, *probes))
        place = int(np.argmax(free_p))
        branch, found = int(node.free[place]), (float(inside[place]), float(outside[place]))
        return replace(node, weights=free_p, branch=branch, inside=found[0], outside=found[1])

    def _rows(self, node: Node, cut: float) -> Rows:
        """Return the problem without its fixed features, or with them where the cut is too near to eliminate them."""
        if not len(node.fixed):
            if len(node.free) == len(self.S):
                return Rows(self.S, node.free, np.zeros(len(node.free), dtype=bool), node.weights)
            return _without_fixed(np.ascontiguousarray(self.S[np.ix_(node.free, node.free)]), node.weights)
        block = self.S[np.ix_(node.fixed, node.fixed)]
        if cut - float(np.linalg.eigvalsh(block)[-1]) > self._nearest * cut:
            border = self.S[np.ix_(node.fixed, node.free)]
            G = self.S[np.ix_(node.free, node.free)] + border.T @ np.linalg.solve(
                cut * np.eye(len(block)) - block, border
            )
            return _without_fixed(0.5 * (G + G.T), node.weights)
        features = np.append(node.fixed, node.free)
        fixed = np.arange(len(features)) < len(node.fixed)
        return Rows(self.S, features, fixed, np.append(np.ones(len(node.fixed)), node.weights))


@dataclass(frozen=True, eq=False)
class Rows:
    """A matrix, the features of it that may be in a support, which of them are, and the weights to start from."""

    S: Array
    features: Indices
    fixed: NDArray[np.bool_]
    start: Array


NOTHING = np.empty(0, dtype=np.intp)
"""The support of a node in which none is of interest."""


def _without_fixed(S: Array, weights: Array) -> Rows:
    return Rows(S, np.arange(len(S)), np.zeros(len(S), dtype=bool), weights)
