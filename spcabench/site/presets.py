"""Leaderboards over some of the data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from spcabench.report.model import Results
from spcabench.report.tasks import WIDE, Task
from spcabench.site.board import Board, board
from spcabench.site.scores import Controls


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


def presets(runs: Sequence[Results], tasks: Sequence[Task], controls: Controls) -> Iterator[Preset]:
    """Yield the leaderboard over all data sets, then those of which anything is left."""
    yield Preset("index", "all", "", board(runs, tasks, controls))
    for name, title, about, holds in DATASETS:
        if some := [task for task in tasks if holds(task)]:
            yield Preset(name, title, about, board(runs, some, controls))
