"""What a run comes to: who leads by the first metric, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench.analysis.paired import Difference, compare
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.report.ranking import Win, best
from spcabench.report.tracks import Kind
from spcabench.suite.columns import Column

KINDS: tuple[Kind, ...] = ("each", "total", "reached")
"""What is equal in a comparison, the strictest first."""


@dataclass(frozen=True)
class Lead:
    """The best of a comparison, and the next.

    Parameters
    ----------
    win : Win
        Those that may be the best.
    n_methods : int
        How many methods were compared.
    runner_up : str
        The best of those that are ruled out; empty if there is none.
    difference : Difference or None
        How much better the first of the best is than the next, on the same draws; None if there is no next.
    """

    win: Win
    n_methods: int
    runner_up: str = ""
    difference: Difference | None = None


def leads(results: Results) -> tuple[Lead, ...]:
    """Return who leads each comparison by the first column of the main table that has a best.

    Comparisons at an equal number of nonzeros in each component come first: only where there are none, those at an
    equal total are returned, or those of methods without a target.
    """
    for column in results.ranked:
        found = tuple(_leads(results, column))
        for kind in KINDS:
            if alike := tuple(lead for lead in found if lead.win.track.kind == kind):
                return alike
    return ()


def _leads(results: Results, column: Column) -> Iterator[Lead]:
    tracks = results.rivals
    for track, chosen in best(results, column).items():
        known = [group for group in tracks[track] if group.value_of(column)]
        win = Win(column, track, tuple(group.method for group in chosen), chosen[0].spread(column))
        others = [group for group in known if group not in chosen]
        if not others:
            yield Lead(win, len(known))
            continue
        sign = 1.0 if column.better == "higher" else -1.0
        runner_up = max(others, key=lambda group: (len(group.counted), sign * group.spread(column).mean))
        yield Lead(win, len(known), runner_up.method, _difference(results, chosen[0], runner_up, column, sign))


def _difference(results: Results, first: Group, second: Group, column: Column, sign: float) -> Difference:
    metric = results.metrics[column.metric]
    seeds = sorted({*first.seeds, *second.seeds})
    ours, theirs = (
        np.array([sign * group.value_of(column).get(seed, math.nan) for seed in seeds]) for group in (first, second)
    )
    return compare(ours, theirs, metric.margin, tie(metric, np.array([*ours, *theirs])))
