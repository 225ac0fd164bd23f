"""One inference over sources: what may be said of which method is better, question by question, of a whole site.

The unit is the source: a table, or a generator of data.  All that a method reached on one source is averaged first, as
variants of a source are alike.  Differences within the margin of the metric are ties before anything is tested.  All
pairs of methods in all questions are one family (Holm 1979), so that in at most 5 % of sites any "surely" is false.
Ranks, tiers and ties follow from that, and nothing else on a site is tested.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Interval, mean_interval
from spcabench.analysis.paired import pair_p, weights_of

Matrix = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEVEL = 0.05
"""How often any statement of a family may be false."""

ROUNDING = 1e-9
PLACES = 12
"""Decimals of differences: what is equal but for rounding ties."""


@dataclass(frozen=True, eq=False)
class Contest:
    """What methods reached on some sources.

    Parameters
    ----------
    methods : tuple of str, length m
        Their labels.
    sources : tuple of str, length n
        Their names.
    values : ndarray of shape (n, m)
        Larger is better; nan where a method does not enter.  A failure is a value: the worst.
    margin : float
        Values that differ by no more are alike.
    """

    methods: tuple[str, ...]
    sources: tuple[str, ...]
    values: Matrix
    margin: float = 0.0

    @cached_property
    def entered(self) -> NDArray[np.int64]:
        """On how many sources each method has a value, shape (m,)."""
        return np.asarray((~np.isnan(self.values)).sum(axis=0))

    @cached_property
    def ranks(self) -> Matrix:
        """The rank on each source among those that enter, 1 the best; nan where a method does not enter."""
        return np.array([ranked(row, self.margin * (1.0 + ROUNDING)) for row in self.values]).reshape(self.values.shape)

    @cached_property
    def mean_ranks(self) -> Matrix:
        """The mean rank of each method over the sources that it enters, shape (m,); nan where it enters none."""
        return np.array([known.mean() if (known := _known(column)).size else math.nan for column in self.ranks.T])

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """Student's 95 % interval of each mean rank over sources, held to the ranks that there are."""
        found = [mean_interval(_known(column)) for column in self.ranks.T]
        most = float(len(self.methods))
        return tuple(Interval(max(1.0, one.low), min(most, one.high)) for one in found)

    @cached_property
    def means(self) -> Matrix:
        """The mean value of each method over the sources that it enters, shape (m,); nan where it enters none."""
        return np.array([known.mean() if (known := _known(column)).size else math.nan for column in self.values.T])

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """The places of the two methods of each pair, shape (m (m - 1) / 2, 2)."""
        return np.column_stack(np.triu_indices(len(self.methods), 1))

    def off(self, first: int, second: int) -> Matrix:
        """Return by how much one method is better than another, where both enter; 0 within the margin."""
        difference = _known(self.values[:, first] - self.values[:, second]).round(PLACES)
        return np.where(np.abs(difference) <= self.margin * (1.0 + ROUNDING), 0.0, difference)

    @property
    def order(self) -> list[int]:
        """The places of the methods, the best mean rank first; those that enter nothing come last."""
        return [int(place) for place in np.argsort(self.mean_ranks, kind="stable")]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What the family of a site says of one of its questions.

    Parameters
    ----------
    contest : Contest
        Who met, and what they reached.
    p : ndarray of shape (m, m)
        That one of a pair is not better more often than the other: adjusted over the family; 1 on the diagonal.
    better : ndarray of bool, shape (m, m)
        Entry (a, b): a is surely better than b.
    needed : int
        The number of sources at which a pair of the contest can be told apart at all.
    """

    contest: Contest
    p: Matrix
    better: Flags
    needed: int

    @property
    def can_tell(self) -> bool:
        """Whether there are sources enough for any statement."""
        return len(self.contest.sources) >= self.needed

    @cached_property
    def tiers(self) -> tuple[int | None, ...]:
        """Tier 1: no method is surely better; tier 2: none of the rest is; and so on.

        None below the number of sources at which that can hold: for all, or for a method that enters too few.
        """
        found: list[int | None] = [None] * len(self.contest.methods)
        left = [int(place) for place in np.flatnonzero(self.contest.entered >= self.needed)]
        tier = 1
        while left:
            top = [a for a in left if not self.better[left, a].any()] or left  # a cycle, over unlike sources
            for a in top:
                found[a] = tier
            left, tier = [a for a in left if found[a] is None], tier + 1
        return tuple(found)

    @property
    def leader(self) -> int | None:
        """The place of the method with the best mean rank among those that enter each source; None if none does."""
        whole = [place for place in self.contest.order if self.contest.entered[place] == len(self.contest.sources)]
        return whole[0] if whole and self.contest.sources else None

    @property
    def tied(self) -> list[int]:
        """The places of the other methods that may be the best as well; empty where nothing can be told."""
        return [a for a in self.contest.order if self.tiers[a] == 1 and a != self.leader]


def family(contests: Sequence[Contest], level: float = LEVEL) -> tuple[Verdicts, ...]:
    """Judge all pairs of methods in all questions together.

    Parameters
    ----------
    contests : sequence of Question
        All those of a site, one a question.
    level : float
        How often any of the statements may be false.

    Returns
    -------
    tuple of Verdicts
        One a contest.

    Notes
    -----
    A pair is tested by `pair_p`.  With n differences that are no ties, its p is at least ``2^(1 - n)``; pairs that
    could not be told apart whatever their signs are left out of the family (Tarone 1990), the others are adjusted by
    Holm's procedure.
    """
    found = [[pair_p(one.off(a, b)) for a, b in one.pairs] for one in contests]
    p = np.array([p for one in found for p, _ in one])
    least = np.array([least for one in found for _, least in one])
    adjusted = holm(p, least, level)
    ends = np.cumsum([len(one.pairs) for one in contests])[:-1]
    split = [np.split(values, ends) if len(contests) else [] for values in (adjusted, members(least, level))]
    total = int(members(least, level).sum())
    return tuple(
        _verdicts(one, mine, total - int(own.sum()), level) for one, mine, own in zip(contests, *split, strict=True)
    )


def _verdicts(contest: Contest, adjusted: Matrix, others: int, level: float) -> Verdicts:
    """Return the verdicts, beside `others` members of the family: none below the sources at which any can hold."""
    m, needed = len(contest.methods), least_sources(others + len(contest.pairs), level)
    p, better = np.ones((m, m)), np.zeros((m, m), dtype=bool)
    for (a, b), chance in zip(contest.pairs, adjusted, strict=True):
        p[a, b] = p[b, a] = chance
        if chance <= level and len(contest.sources) >= needed:
            better[(a, b) if weights_of(contest.off(a, b)).sum() > 0 else (b, a)] = True
    return Verdicts(contest, p, better, needed)


def holm(p: Matrix, least: Matrix, level: float = LEVEL) -> Matrix:
    """Adjust p-values that are read together, so that any false one among them is as rare as one alone.

    Parameters
    ----------
    p, least : ndarray of shape (n,)
        The p-values, and the least that each could have been.
    level : float
        Those that could not be small enough are no members of the family: see `members`.

    Returns
    -------
    ndarray of shape (n,)
        By Holm's procedure among the members; 1 for the others.

    Notes
    -----
    Source: Holm 1979; Tarone 1990.

    Examples
    --------
    >>> holm(np.array([0.02, 0.5, 0.01]), np.zeros(3)).round(2).tolist()
    [0.04, 0.5, 0.03]
    >>> holm(np.array([0.02, 0.5, 0.01]), np.array([0.0, 0.5, 0.0])).round(2).tolist()
    [0.02, 1.0, 0.02]
    """
    inside = np.flatnonzero(members(least, level))
    order = inside[np.argsort(p[inside], kind="stable")]
    adjusted = np.ones(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate((len(order) - np.arange(len(order))) * p[order]))
    return adjusted


def members(least: Matrix, level: float = LEVEL) -> Flags:
    """Return which of some tests are a family, by the least p that each could have: those whose is at most ``level/K``.

    K is the smallest number such that at most K tests are members (Tarone 1990).
    """
    sizes = np.arange(1, len(least) + 1)
    fits = np.searchsorted(np.sort(least), level / sizes, side="right") <= sizes
    found: Flags = least <= level / sizes[fits.argmax()] if fits.any() else np.zeros(len(least), dtype=bool)
    return found


def least_sources(n_pairs: int, level: float = LEVEL) -> int:
    """Return with how many sources one of so many pairs can be told apart at all: ``2^(1 - n) <= level/n_pairs``.

    Examples
    --------
    >>> [least_sources(m * (m - 1) // 2) for m in (2, 5, 10, 20, 70)]
    [6, 9, 11, 13, 17]
    """
    return 1 + math.ceil(math.log2(max(1, n_pairs) / level))


def _known(values: Matrix) -> Matrix:
    return values[~np.isnan(values)]


def ranked(row: Matrix, margin: float) -> Matrix:
    """Return ranks: 1 + how many are better + half of how many others are within the margin; of nan, nan."""
    off = row[None, :] - row[:, None]
    better, alike = (off > margin).sum(axis=1), (np.abs(off) <= margin).sum(axis=1) - 1
    return np.where(np.isnan(row), math.nan, 1.0 + better + alike / 2)
