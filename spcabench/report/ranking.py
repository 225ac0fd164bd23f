"""Who is best: track by track, every seed counted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from spcabench.analysis.best import may_be_best
from spcabench.report.clocks import FIT_TIME, quickest
from spcabench.report.entering import waits
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results, tie
from spcabench.report.tracks import Track
from spcabench.specs import MetricSpec
from spcabench.suite.columns import Column


@dataclass(frozen=True)
class Win:
    """The best of a comparison.

    Parameters
    ----------
    column : Column
        What is compared.
    track : Track
        Among which methods.
    methods : tuple of str
        Those that may be the best; the first has the best mean.
    spread : Spread
        What the first of them reached.
    """

    column: Column
    track: Track
    methods: tuple[str, ...]
    spread: Spread


def best(results: Results, column: Column) -> dict[Track, list[Group]]:
    """Return the groups of each track that may be the best by a column, the best mean first.

    Nonzeros are not ranked, and times are ranked only where the difference may be claimed.  A track with one method
    alone has no best, and none has one while a cell of it may yet be filled: means over other seeds are no comparison.
    """
    kept = _KEPT.setdefault(results, {})
    if column not in kept:
        kept[column] = _best(results, column)
    return kept[column]


_KEPT: WeakKeyDictionary[Results, dict[Column, dict[Track, list[Group]]]] = WeakKeyDictionary()
"""What `best` found: tables, figures and sentences ask for the same."""


def _best(results: Results, column: Column) -> dict[Track, list[Group]]:
    spec = results.metrics.get(column.metric)
    if not results.ranks(column) or spec is None:
        return {}
    found: dict[Track, list[Group]] = {}
    for track, groups in results.rivals.items():
        if waits(groups):
            continue
        known = [group for group in groups if group.value_of(column)]
        if len(known) > 1 and (chosen := _chosen(known, column, spec)):
            found[track] = chosen
    return found


def _chosen(groups: list[Group], column: Column, spec: MetricSpec) -> list[Group]:
    if column.unit == "s":
        return quickest(groups) if column == FIT_TIME else []
    values = _values(groups, column)
    sign = 1.0 if column.better == "higher" else -1.0
    may_be = may_be_best(sign * values, spec.margin, tie(spec, values))
    chosen = [group for group, kept in zip(groups, may_be, strict=True) if kept]
    return sorted(chosen, key=lambda group: (-len(group.counted), -sign * group.spread(column).mean))


def _values(groups: list[Group], column: Column) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the values by seed and group; nan, which is worst, where a seed failed, missed, or has no finite value."""
    seeds = sorted({seed for group in groups for seed in group.seeds})
    known = [group.value_of(column) for group in groups]
    values = np.array([[of.get(seed, math.nan) for of in known] for seed in seeds])
    return np.where(np.isfinite(values), values, math.nan)


def wins(results: Results, column: Column) -> Iterator[Win]:
    """Return the best of each track."""
    for track, groups in best(results, column).items():
        yield Win(column, track, tuple(group.method for group in groups), groups[0].spread(column))
