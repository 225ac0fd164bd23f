"""Which method: the best held-out variance at the chosen sparsity, and what is tied with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from spcabench.analysis.best import may_be_best

LEAST_HALVES = 5
"""With fewer halves that all methods were fitted to, the variance of the whole table decides."""
MARGIN = 0.001
"""The smallest difference of a share of variance that matters."""


@dataclass(frozen=True)
class Standing:
    """What a method reached.

    Parameters
    ----------
    method : str
        Its name.
    held_out, sd : float
        The mean share of the variance of held-out halves, and its standard deviation.
    tied : bool
        Whether the halves do not rule it out as the best.
    seconds : float
        Of a fit to the whole table.
    """

    method: str
    held_out: float
    sd: float
    tied: bool
    seconds: float


@dataclass(frozen=True)
class Winner:
    """The method that is proposed.

    Parameters
    ----------
    method : str
        Of those that may be the best, the one that comes first in the portfolio.
    standings : tuple of Standing
        The largest held-out variance first.
    n_halves : int
        Halves that all of them were fitted to.
    unfinished : mapping of str to str
        Methods that cannot be judged, and why.
    """

    method: str
    standings: tuple[Standing, ...]
    n_halves: int
    unfinished: tuple[tuple[str, str], ...]

    @property
    def tied(self) -> tuple[str, ...]:
        """The other methods that may be the best."""
        return tuple(one.method for one in self.standings if one.tied and one.method != self.method)


def winner(methods: Sequence[str], whole: pd.DataFrame, halves: pd.DataFrame, every: pd.DataFrame) -> Winner:
    """Choose a method.

    Parameters
    ----------
    methods : sequence of str
        The most useful first.
    whole, halves : DataFrame
        The cells at the chosen sparsity that reached it: of the whole table, and of its halves.
    every : DataFrame
        All cells, for the reasons of those that did not finish.

    Returns
    -------
    Winner
        Ties go to the method that comes first: it is the simplest.  Without halves the variance of the whole decides.
    """
    values, n_halves = _values(methods, whole, halves)
    names = [str(name) for name in values.columns]
    kept = may_be_best(values.to_numpy(), MARGIN) if names else np.empty(0, dtype=bool)
    seconds = whole.set_index("method")["fit_time"].groupby(level=0).first()
    standings = [
        Standing(
            name,
            float(values[name].mean()),
            float(values[name].std(ddof=1)),
            bool(tied),
            float(seconds.get(name, np.nan)),
        )
        for name, tied in zip(names, kept, strict=True)
    ]
    chosen = next((one.method for one in standings if one.tied), "")
    reasons = {str(row.method): str(row.reason) or str(row.status) for row in every.itertuples()}
    unfinished = tuple((name, reasons.get(name, "")) for name in methods if name not in names)
    ordered = tuple(sorted(standings, key=lambda one: -one.held_out))
    return Winner(chosen, ordered, n_halves, unfinished)


def _values(methods: Sequence[str], whole: pd.DataFrame, halves: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return what methods are judged by, a row for each half that all were fitted to, and how many these are."""
    known = set(whole["method"])
    if not halves.empty:
        held_out = halves.pivot_table(index="seed", columns="method", values="cpev_test")
        enough = held_out.notna().sum() >= LEAST_HALVES
        held_out = held_out[[name for name in methods if name in known and enough.get(name, False)]].dropna()
        if len(held_out) >= LEAST_HALVES and held_out.shape[1]:
            return held_out, len(held_out)
    own = whole.pivot_table(index="seed", columns="method", values="cpev")
    return own[[name for name in methods if name in own]], 0
