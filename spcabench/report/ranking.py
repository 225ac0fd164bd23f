"""Who is best: the methods that may be compared, comparison by comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from spcabench.report.model import Group, Results, Spread
from spcabench.report.precision import rounded
from spcabench.store.frame import Level
from spcabench.suite.columns import Column

Place = tuple[str, int, Level]
"""Data set, components and target: what methods have in common that may be compared."""


@dataclass(frozen=True)
class Win:
    """The best of a comparison.

    Parameters
    ----------
    column : Column
        What is compared.
    dataset : str
        On which data set.
    level : Level
        At which target.
    methods : tuple of str
        The best, several where they tie.
    spread : Spread
        What the first of them reached.
    """

    column: Column
    dataset: str
    level: Level
    methods: tuple[str, ...]
    spread: Spread


def best(results: Results, column: Column) -> list[Group]:
    """Return the groups with the best mean among the methods of one data set and sparsity, if there are several.

    A method with more nonzeros than asked for does not compete; numbers that look alike tie.
    """
    if column.better == "neither":
        return []
    rivals: dict[Place, list[Group]] = {}
    for group in results.groups:
        if not math.isnan(group.spread(column).mean) and not group.too_dense:
            rivals.setdefault((group.dataset, group.n_components, group.level), []).append(group)
    choose = max if column.better == "higher" else min
    winners: list[Group] = []
    for groups in rivals.values():
        if len(groups) > 1:
            winner = rounded(choose(group.spread(column).mean for group in groups))
            winners += [group for group in groups if rounded(group.spread(column).mean) == winner]
    return winners


def wins(results: Results, column: Column) -> Iterator[Win]:
    """Return the best at each data set and sparsity."""
    found: dict[tuple[str, Level], list[Group]] = {}
    for group in best(results, column):
        found.setdefault((group.dataset, group.level), []).append(group)
    for (dataset, level), groups in found.items():
        yield Win(column, dataset, level, tuple(group.method for group in groups), groups[0].spread(column))
