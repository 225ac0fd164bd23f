"""The runs of a try: each method at several sparsities on the whole table, and at the one chosen on halves of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from spcabench.api.gathered import gathered
from spcabench.api.results import Results
from spcabench.plugins import Registry
from spcabench.run import host
from spcabench.run.options import Options
from spcabench.run.progress import Listener
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_data

HALVES = 20
"""Halves of the rows that are fitted, if there is time."""
PARTS, LEAST_PARTS = 12, 3
"""A fit has this part of the seconds of its run; where fits are known to be slow, up to the second part."""
LAST_FIT = 10.0
"""Seconds that a fit may take if it takes so long, though the run has less: without one there is no answer."""
SLOWER = 4.0
"""The slowest method takes so many times what the choice took for a fit."""
MOST_CURVE = 7
"""Cardinalities of the curve beside the chosen one."""


@dataclass(frozen=True)
class Wanted:
    """What is run.

    Parameters
    ----------
    params : mapping of str to object
        Of the data set that reads the samples, or their second moments.
    preprocess : {"none", "centre", "standardise"}
        What is done to the features before each fit.
    methods : sequence of str
        The most useful first.
    n_components : int
        The components.
    level : int or list of int
        The nonzeros that were chosen.
    """

    params: Mapping[str, object]
    preprocess: str
    methods: Sequence[str]
    n_components: int
    level: int | list[int]


@dataclass(frozen=True)
class Doing:
    """How a run is done.

    Parameters
    ----------
    folder : Path
        Where it is kept.
    registry : Registry
        What there is.
    seconds : float
        All that it may take.
    fit : float
        Seconds that a fit is known to take.
    jobs : int
        Fits at once.
    tell : Listener
        Hears of it.
    """

    folder: Path
    registry: Registry
    seconds: float
    fit: float
    jobs: int
    tell: Listener

    @property
    def limit(self) -> float:
        """The seconds of a fit."""
        usual, slow = self.seconds / PARTS, min(SLOWER * self.fit, max(self.seconds / LEAST_PARTS, LAST_FIT))
        return max(1.0, round(max(usual, slow), 1))


def curve_levels(level: int | list[int], n_features: int) -> list[int]:
    """Return nonzeros beside the chosen ones that show how the variance grows.

    Examples
    --------
    >>> curve_levels([4, 6], 13)
    [1, 2, 3, 5, 8, 12]
    """
    largest = max([level] if isinstance(level, int) else level)
    top = min(n_features - 1, max(2 * largest, 6))
    spread = {max(1, round(top ** (place / (MOST_CURVE - 1)))) for place in range(MOST_CURVE)}
    return sorted(k for k in spread if k != level)


def run_curve(wanted: Wanted, table: str, n_features: int, how: Doing) -> Results:
    """Fit each method to the whole table at several cardinalities."""
    levels: dict[str, Sequence[int | list[int]]] = {
        "chosen": [wanted.level],
        "curve": [*curve_levels(wanted.level, n_features)],
    }
    return _run("curve", "Variance against nonzeros", wanted, table, levels, 1, how)


def run_halves(wanted: Wanted, halves: str, how: Doing) -> Results:
    """Fit each method to halves of the table at the chosen cardinality, and measure the other halves."""
    return _run("halves", "Held-out variance", wanted, halves, {"halves": [wanted.level]}, HALVES, how)


def _run(
    name: str,
    title: str,
    wanted: Wanted,
    dataset: str,
    levels: Mapping[str, Sequence[int | list[int]]],
    seeds: int,
    how: Doing,
) -> Results:
    suite: dict[str, Any] = {
        "name": name,
        "title": title,
        "datasets": [
            {
                "name": dataset,
                "label": label,
                "params": dict(wanted.params),
                "preprocess": wanted.preprocess,
                "n_nonzero": list(some),
            }
            for label, some in levels.items()
            if some
        ],
        "methods": list(wanted.methods),
        "n_components": wanted.n_components,
        "n_nonzero": [wanted.level],
        "seeds": seeds,
        "repeats": 1,
        "limits": {"time": how.limit},
        "metrics": ["cpev", "adjusted_variance"],
    }
    loaded = load_data(suite, how.registry)
    folder = RunFolder(how.folder / name)
    seconds = max(how.seconds - how.limit, 0.0)  # the last fit begins before
    options = Options(jobs=how.jobs, seconds=seconds, retry=frozenset({"timeout"}))
    host.run(loaded.suite, loaded.plan, how.registry, folder, options, how.tell)
    return Results(gathered(loaded, folder, how.registry))


def at_level(results: Results, level: int | list[int]) -> pd.DataFrame:
    """Return the cells at the chosen nonzeros that reached them."""
    target = level if isinstance(level, int) else tuple(level)
    frame = results.frame
    fits = frame["n_nonzero"].map(lambda found: found == target)
    missed = frame["missed_components"].fillna(0) > 0
    return frame[fits & ~missed & frame["status"].isin(["ok", "not_converged"])]
