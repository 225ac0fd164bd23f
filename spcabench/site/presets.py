"""Leaderboards over some of the data sets, or of some of the methods."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from spcabench.report.model import Results
from spcabench.site.board import Board, Standing, board
from spcabench.site.scores import Controls
from spcabench.site.tasks import WIDE, Task

QUICK = 10.0
"""A fast method takes at most so many times as long as the dense control."""

PROVED = 1e-3
"""An exact method has a mean gap of at most so much on each data set of the track optimisation."""

BESIDE_ALL = "; ranks and scores are those among all methods."


@dataclass(frozen=True)
class Preset:
    """A leaderboard with a name.

    Parameters
    ----------
    name : str
        Of its file.
    title, about : str
        What it is over, shortly and in a sentence.
    board : Board
        Its rows.
    """

    name: str
    title: str
    about: str
    board: Board


def _is_exact(row: Standing, tasks: Sequence[Task]) -> bool:
    proved = [task for task in tasks if task.track == "optimisation" and task.column.better == "lower"]
    return bool(proved) and all(-task.values.get(row.method, -math.inf) <= PROVED for task in proved)


DATASETS: Sequence[tuple[str, str, str, Callable[[Task], bool]]] = (
    (
        "wide",
        "d much larger than n",
        f"Over the data sets that have at least {WIDE:g} times as many features as samples.",
        lambda task: task.wide,
    ),
    (
        "outliers",
        "outliers",
        "Over the data sets some of whose samples are contaminated.",
        lambda task: task.contaminated,
    ),
    (
        "several",
        "several components",
        "Over the data sets on which each fit is of two or more components.",
        lambda task: task.several,
    ),
)
"""Presets that choose data sets: name, title, what they are over, and whether a data set is among them."""

METHODS: Sequence[tuple[str, str, str, Callable[[Standing, Sequence[Task]], bool]]] = (
    (
        "fast",
        "fast",
        f"Over all data sets, the methods that take at most {QUICK:g} times as long as {{dense}}{BESIDE_ALL}",
        lambda row, tasks: row.costs.ratio <= QUICK,
    ),
    (
        "proved",
        f"exact to {PROVED:.1%}",
        f"Over all data sets, the methods whose mean gap is at most {PROVED:.1%} on each data set of the track "
        f"optimisation{BESIDE_ALL}",
        _is_exact,
    ),
)
"""Presets that choose methods, in the same way; `dense` is the dense control."""


def presets(runs: Sequence[Results], tasks: Sequence[Task], controls: Controls) -> Iterator[Preset]:
    """Yield the leaderboard over all data sets, then those of which anything is left."""
    whole = board(runs, tasks, controls)
    yield Preset("index", "all", "", whole)
    for name, title, about, holds in DATASETS:
        if some := [task for task in tasks if holds(task)]:
            yield Preset(name, title, about, board(runs, some, controls))
    for name, title, about, is_in in METHODS:
        if rows := tuple(row for row in whole.rows if is_in(row, tasks)):
            yield Preset(name, title, about.format(dense=controls.dense), replace(whole, rows=rows))
