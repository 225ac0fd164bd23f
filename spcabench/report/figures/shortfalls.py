"""Who did not finish and who missed a target: below the heading of each panel, in every figure alike."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import altair as alt

from spcabench.report.figures.style import title
from spcabench.report.groups import Group
from spcabench.store.status import FINISHED, STATUSES

WIDTH = 90
"""Characters of a line."""

UNFINISHED = tuple(status for status in STATUSES if status not in (*FINISHED, "skipped", "unavailable"))
"""Statuses of fits that were begun."""


def heading(text: str, stand_in: bool, groups: Sequence[Group]) -> alt.TitleParams:
    """Head a panel; below stand the methods of these groups that did not finish, and those that missed a target.

    Parameters
    ----------
    text : str
        What the panel shows.
    stand_in : bool
        Whether another data set stood in.
    groups : sequence of Group
        All that the panel would show if they had gone well.
    """
    lines = [line for said in shortfalls(groups) for line in textwrap.wrap(said, WIDTH)]
    options: dict[str, Any] = {"subtitle": lines} if lines else {}
    return alt.TitleParams(**title(text, stand_in).to_dict(), **options)


def shortfalls(groups: Iterable[Group]) -> Iterator[str]:
    """Yield a line with the methods that did not finish, and one with those that missed a target; none if none did."""
    planned, missed = Counter[str](), Counter[str]()
    became: dict[str, Counter[str]] = {}
    for group in groups:
        planned[group.method] += group.planned
        missed[group.method] += sum(fit.missed for fit in group.fits)
        failed = {status: group.statuses[status] for status in UNFINISHED if group.statuses[status]}
        became.setdefault(group.method, Counter()).update(failed)
    failures = [f"{name} ({', '.join(_failures(of, planned[name]))})" for name, of in became.items() if of]
    if failures:
        yield f"Did not finish: {', '.join(failures)}."
    misses = [f"{name}{_share(count, planned[name], ' ({})')}" for name, count in missed.items() if count]
    if misses:
        yield f"Missed the target: {', '.join(misses)}."


def _failures(statuses: Counter[str], planned: int) -> Iterator[str]:
    for status, count in statuses.items():
        yield status.replace("_", " ") + _share(count, planned, " in {}")


def _share(count: int, planned: int, form: str) -> str:
    """Return how many of the fits, in that form; nothing if all of them."""
    return form.format(f"{count} of {planned} fits") if count < planned else ""
