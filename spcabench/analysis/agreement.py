"""Whether a published order agrees with our draws."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Values

MOST_ENUMERATED, RANDOM_ORDERS = 8, 9999
"""Orders of so many items are enumerated, and so many random ones drawn beyond."""

ROUNDING = 1e-9
"""Slack of a tie, relative: 3.1 less 3.0 is more than 0.1 in binary."""


OrderVerdict = Literal["same order", "mostly", "not the order", "undecided", "too few items"]


@dataclass(frozen=True)
class Order:
    """Whether two columns of numbers rank the same items alike.

    Parameters
    ----------
    verdict : str
        ``same order``: no decided pair is reversed.  ``mostly``: some are, and the agreement is significant at 5 %.
        ``not the order``: it is not.  ``undecided``: no pair is decided.  ``too few items``: below four, where even
        full agreement is no evidence.
    tau : float
        Kendall's tau-b; nan if all items are tied in one of the columns.
    p : float
        One-sided, by permutations.
    reversed : tuple of (int, int)
        The pairs of items that the columns rank in opposite ways.
    n_ranked, n_decided : int
        The number of pairs that the published column ranks, and of those that both do.
    """

    verdict: OrderVerdict
    tau: float
    p: float
    reversed: tuple[tuple[int, int], ...]
    n_ranked: int
    n_decided: int


def order(published: Values, ours: Values, half_unit: float = 0.0, undecided: NDArray[np.bool_] | None = None) -> Order:
    """Compare the order of published numbers with that of ours.

    Parameters
    ----------
    published, ours : sequence of float, length m
        One number an item, none nan.
    half_unit : float
        Published numbers within twice this are tied: they are equal after rounding.
    undecided : ndarray of bool, shape (m, m), optional
        The pairs of ours that are tied, whatever their numbers; symmetric.
    """
    first = _signs(np.asarray(published, dtype=float), 2 * half_unit)
    second = _signs(np.asarray(ours, dtype=float), 0.0)
    if undecided is not None:
        second = np.where(undecided, 0.0, second)
    m = len(first)
    upper = np.triu_indices(m, 1)
    product = first * second
    against = tuple((int(i), int(j)) for i, j in zip(*upper, strict=True) if product[i, j] < 0)
    n_ranked = int(np.abs(first[upper]).sum())
    scale = math.sqrt(n_ranked * float(np.abs(second[upper]).sum()))
    tau = float(product[upper].sum()) / scale if scale else math.nan
    p = _permutation_p(first, second) if scale else math.nan
    n_decided = int(np.abs(product[upper]).sum())
    return Order(_verdict(m, n_decided, bool(against), p), tau, p, against, n_ranked, n_decided)


def _verdict(m: int, n_decided: int, reversed_: bool, p: float) -> OrderVerdict:
    if m < 4:
        return "too few items"
    if not n_decided:
        return "undecided"
    if not reversed_:
        return "same order"
    return "mostly" if p <= 0.05 else "not the order"


def _signs(values: NDArray[np.float64], tied: float) -> NDArray[np.float64]:
    differences = values[:, None] - values[None, :]
    return np.where(np.abs(differences) <= tied * (1 + ROUNDING), 0.0, np.sign(differences))


def _permutation_p(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return the share of orders of the second column that agree with the first at least as well."""
    m = len(first)
    seen = float((first * second).sum())
    if m <= MOST_ENUMERATED:
        orders = np.array(list(itertools.permutations(range(m))))
    else:
        rng = np.random.default_rng(0)
        orders = np.vstack([np.arange(m), *(rng.permutation(m) for _ in range(RANDOM_ORDERS))])
    pairs = itertools.combinations(range(m), 2)
    agreements = sum(first[i, j] * second[orders[:, i], orders[:, j]] for i, j in pairs)
    return float(np.mean(2 * agreements >= seen - 1e-9))
