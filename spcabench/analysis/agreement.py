"""Whether a published number, or a published order, agrees with our draws."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Values

LEAST_DRAWS = 39
"""Below so many draws no published number can be outside of ours at the 5 % level."""

MOST_ENUMERATED, RANDOM_ORDERS = 8, 9999
"""Orders of so many items are enumerated, and so many random ones drawn beyond."""

MOST_SHARE_OF_RANGE = 0.5
"""Draws whose 95 % prediction interval covers more of the metric's range than this say nothing."""

ROUNDING = 1e-9
"""Slack of a tie, relative: 3.1 less 3.0 is more than 0.1 in binary."""


def quantile_p(published: float, ours: Values, half_unit: float = 0.0) -> float:
    """Return how unusual one published draw is among ours.

    ``min(1, 2 (1 + min(#{ours <= x}, #{ours >= x})) / (n + 1))``; half a unit of the last printed digit widens x.

    Parameters
    ----------
    published : float
        The printed number x.
    ours : sequence of float, length n
        Draws under the same protocol.
    half_unit : float
        Half a unit of the last printed digit.

    Returns
    -------
    float
        A two-sided p-value, at least ``2/(n + 1)``.
    """
    draws = np.asarray(ours, dtype=float)
    below = int((draws <= published + half_unit).sum())
    above = int((draws >= published - half_unit).sum())
    return min(1.0, 2 * (1 + min(below, above)) / (len(draws) + 1))


def prediction_p(published: float, ours: Values, n_published: int = 1, half_unit: float = 0.0) -> float:
    """Return how unusual the published mean of some draws is, by Student's prediction interval.

    ``t = (x - mean) / (sd sqrt(1/n + 1/R))`` on n - 1 degrees of freedom; the nearest end of the rounding counts.

    Parameters
    ----------
    published : float
        The printed mean x.
    ours : sequence of float, length n
        Draws under the same protocol.
    n_published : int
        R, of how many draws it is the mean.
    half_unit : float
        Half a unit of the last printed digit.

    Returns
    -------
    float
        A two-sided p-value; nan for fewer than two draws.
    """
    from scipy.special import stdtr

    draws = np.asarray(ours, dtype=float)
    if len(draws) < 2:
        return math.nan
    away = max(0.0, abs(published - float(draws.mean())) - half_unit)
    scale = float(draws.std(ddof=1)) * math.sqrt(1 / len(draws) + 1 / n_published)
    if scale == 0:
        return 1.0 if away == 0 else 0.0
    return 2 * float(stdtr(len(draws) - 1, -away / scale))


def uninformative(ours: Values, lowest: float, highest: float) -> bool:
    """Return whether draws spread so widely over a metric's range that agreement with them means nothing."""
    from scipy.special import stdtrit

    draws = np.asarray(ours, dtype=float)
    if len(draws) < 2 or not math.isfinite(highest - lowest):
        return False
    half = float(stdtrit(len(draws) - 1, 0.975)) * float(draws.std(ddof=1)) * math.sqrt(1 + 1 / len(draws))
    low, high = max(lowest, float(draws.mean()) - half), min(highest, float(draws.mean()) + half)
    return high - low > MOST_SHARE_OF_RANGE * (highest - lowest)


def discoveries(p_values: Values, share: float = 0.05) -> NDArray[np.bool_]:
    """Return the tests that depart at a share of false ones (Benjamini and Hochberg 1995); nan never does."""
    p = np.asarray(p_values, dtype=float)  # scipy.stats has this too, and takes a second to import
    ordered = np.sort(p[~np.isnan(p)])
    passed = ordered[ordered <= share * np.arange(1, len(ordered) + 1) / max(1, len(ordered))]
    return p <= passed[-1] if passed.size else np.zeros(len(p), dtype=bool)


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
