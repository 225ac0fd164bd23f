"""Methods down, data sets and targets across: the first metric that ranks, as a paper prints it."""

from __future__ import annotations

from collections.abc import Callable

from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.parts import METHOD, Entry, Field, Row, Table
from spcabench.report.ranking import best
from spcabench.report.tabled import tabled
from spcabench.report.tracks import remark
from spcabench.store.frame import Level

LEAST = 2
"""Data sets and targets that make a pivot."""

Place = tuple[str, int, Level]
"""Data set, number of components and target."""


def table(results: Results) -> Table | None:
    """Return the first ranked metric by method, data set and target; None of a single one, or without such a metric."""
    if not results.ranked:
        return None
    column = results.ranked[0]
    at = {(_place(group), group.method): group for group in results.groups}
    places = list(dict.fromkeys(place for place, _ in at if place[2])) or list(dict.fromkeys(place for place, _ in at))
    if len(places) < LEAST:
        return None
    winners = {id(group) for groups in best(results, column).values() for group in groups}

    def enter(place: Place) -> Callable[[str], Entry]:
        def entry(method: str) -> Entry:
            group = at.get((place, method)) or at.get(((*place[:2], Level()), method))
            if group is None:
                return Entry(None)
            spread = group.spread(column)
            return Entry(spread.mean, unit=column.unit, best=id(group) in winners, note=remark(group))

        return entry

    columns = [(METHOD, Entry), *((_field(place, places), enter(place)) for place in places)]
    caption = f"{column.heading} by method, data set and target: means over the seeds. Bold as in the main table."
    measured = [
        method
        for method in results.methods
        if any(group.n_finished for group in results.groups if group.method == method)
    ]
    return tabled("pivot", caption, columns, measured, lambda method, entries: Row(entries, method))


def _place(group: Group) -> Place:
    return group.dataset, group.n_components, group.level


def _field(place: Place, places: list[Place]) -> Field:
    """Name a column by what differs between columns."""
    dataset, n_components, level = place
    parts = [
        (dataset, len({one[0] for one in places})),
        (f"r = {n_components}", len({one[1] for one in places})),
        (f"k = {level}" if level else "", len({one[2] for one in places})),
    ]
    heading = ", ".join(text for text, n_values in parts if text and n_values > 1)
    return Field(f"{dataset}, {n_components}, {level}", heading or dataset, numeric=True)
