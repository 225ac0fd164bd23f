"""What of the results a panel shows, and its heading, which says who is missing."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from spcabench.report.figures.style import INK, LOUD
from spcabench.report.figures.views import Spec
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.store.frame import Level
from spcabench.store.status import FINISHED, STATUSES

WIDTH = 90
"""Characters of a line below a heading."""

UNFINISHED = tuple(status for status in STATUSES if status not in (*FINISHED, "skipped", "unavailable"))
"""Statuses of fits that were begun."""


def each_level(results: Results, dataset: str) -> list[list[Group]]:
    """Return the groups of a data set at each of its sparsity levels, each time with those without a level.

    The methods are in the order of the suite.
    """
    groups = results.of_dataset(dataset)
    levels = list(dict.fromkeys(group.level for group in groups if group.level)) or [Level()]
    ordered = sorted(groups, key=lambda group: results.methods.index(group.method))
    return [[group for group in ordered if group.level in (Level(), level)] for level in levels]


def one_level(results: Results, dataset: str) -> list[Group]:
    """Return the groups of a data set at the middle one of its sparsity levels, and those without a level."""
    levels = each_level(results, dataset)
    return levels[len(levels) // 2]


def level_of(groups: Iterable[Group]) -> str:
    """Name the sparsity level of the groups, if they have one."""
    level = next((group.level for group in groups if group.level), Level())
    return f"target: {level} {'nonzero' if level == Level(1) else 'nonzeros'}" if level else ""


def label_of(groups: Sequence[Group]) -> str:
    """Name a panel by its data set and sparsity level."""
    return ", ".join(filter(None, (groups[0].dataset, level_of(groups))))


def heading(groups: Sequence[Group], text: str = "") -> Spec:
    """Head a panel; below stand the methods that did not finish, and those that missed a target.

    Parameters
    ----------
    groups : sequence of Group
        All that the panel would show if they had gone well; if another data set stood in for theirs, it is in red.
    text : str
        What it shows; their data set and sparsity level if it is empty.
    """
    colour = LOUD if any(group.stand_in for group in groups) else INK
    lines = [line for said in shortfalls(groups) for line in textwrap.wrap(said, WIDTH)]
    return {
        "text": textwrap.wrap(text or label_of(groups), 70),
        "color": colour,
        **({"subtitle": lines} if lines else {}),
    }


def shortfalls(groups: Iterable[Group]) -> Iterator[str]:
    """Yield a line with the methods that did not finish, and one with those that missed a target; none if none did."""
    planned, missed = Counter[str](), Counter[str]()
    became: dict[str, Counter[str]] = {}
    for group in groups:
        planned[group.method] += group.planned
        missed[group.method] += group.n_missed
        failed = {status: group.statuses[status] for status in UNFINISHED if group.statuses[status]}
        became.setdefault(group.method, Counter()).update(failed)

    def share(count: int, method: str, form: str) -> str:
        """Return how many of the fits, in that form; nothing if all of them."""
        return form.format(f"{count} of {planned[method]} fits") if count < planned[method] else ""

    failures = {
        name: ", ".join(status.replace("_", " ") + share(count, name, " in {}") for status, count in of.items())
        for name, of in became.items()
    }
    if said := ", ".join(f"{name} ({what})" for name, what in failures.items() if what):
        yield f"Did not finish: {said}."
    if said := ", ".join(f"{name}{share(count, name, ' ({})')}" for name, count in missed.items() if count):
        yield f"Missed the target: {said}."
