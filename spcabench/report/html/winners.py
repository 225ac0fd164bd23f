"""The best of the methods, comparison by comparison."""

from __future__ import annotations

from itertools import islice

from spcabench.report.numerals import NOTHING, measured
from spcabench.report.page import MOST_METRICS, tied
from spcabench.report.results import Results
from spcabench.report.tables import ARROWS, MOST_ROWS, Table, best, frame_of


def winners(results: Results) -> Table | None:
    """Name the best at each data set and sparsity by the first metrics of the main table; None if nobody competes."""
    columns = [column for column in results.columns if results.better(column) != "neither"][:MOST_METRICS]
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for column in columns:
        groups, heading = results.groups, column + ARROWS[results.better(column)]
        first: dict[tuple[str, str], list[int]] = {}
        for place in best(results, groups, column):
            first.setdefault((groups[place].dataset, groups[place].n_nonzero), []).append(place)
        for where, places in first.items():
            names = tied([groups[place].method for place in places])
            value = measured(column, groups[places[0]].spread(column))
            rows.setdefault(where, {})[heading] = f"{names}, {value}".replace(" ± ", "\u00a0±\u00a0")
    if not rows:
        return None
    cells = frame_of(
        [
            {"data set": dataset, "nonzeros": level or "no target"} | told
            for (dataset, level), told in islice(rows.items(), MOST_ROWS)
        ]
    ).fillna(NOTHING)
    caption = "The best of the methods at equal sparsity."
    if len(rows) > MOST_ROWS:
        caption += f" The first {MOST_ROWS} of {len(rows)} comparisons."
    return Table(caption, cells, cells)
