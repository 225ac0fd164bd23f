"""How often each of a few methods wins against each other one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spcabench.analysis.contest import Contest
from spcabench.report.model import Results
from spcabench.report.parts import METHOD, Entry, Field, Row, Table
from spcabench.report.standings import SURE, standings
from spcabench.report.tabled import Columns, tabled

PANEL, LEAST = 10, 3
"""The most and the fewest methods that such a table has."""


def panel(met: Contest, runs: Iterable[Results]) -> Contest | None:
    """Return the contest among methods that were chosen before any was fitted, the best mean rank first.

    They are those that the suites emphasise, else the first that they name; None if too few of them enter.
    """
    runs = list(runs)
    named = dict.fromkeys(str(label) for run in runs for label in run.suite.report.emphasis)
    listed = dict.fromkeys(label for run in runs for label in run.methods)
    for labels in (named, listed):
        chosen = [label for label in labels if label in met.methods][:PANEL]
        if len(chosen) >= LEAST:
            return met.among(chosen).by_rank()
    return None


def table(results: Results) -> Table | None:
    """Make the table of wins, ties and losses of a run; None where it has no standings."""
    found = standings(results)
    chosen = panel(found.contest, [results]) if found else None
    return wins_table("wins", chosen) if chosen else None


def wins_table(name: str, met: Contest) -> Table | None:
    """Make the table of wins, ties and losses of a contest: rows against columns."""
    n = len(met.names)
    columns: Columns[int] = (
        (METHOD, lambda row: Entry(met.methods[row])),
        *(_against(met, place) for place in range(len(met.methods))),
    )
    caption = (
        f"Wins / ties / losses of the row against the column over {n} data sets; values within the margin of the "
        "metric tie, and a failure loses to any result. Bold: surely better (Wilcoxon 1945, adjusted for the pairs of "
        "this table, Holm 1979). The methods were chosen before any was fitted: those that the suite emphasises, or "
        "else names first."
    )
    return tabled(name, caption, columns, range(len(met.methods)), lambda row, e: Row(e, met.methods[row]))


def _against(met: Contest, column: int) -> tuple[Field, Callable[[int], Entry]]:
    """Return the column of a method: how each other one did against it."""
    label = met.methods[column]
    return Field(label, label), lambda row: _record(met, row, column)


def _record(met: Contest, row: int, column: int) -> Entry:
    if row == column:
        return Entry(None)
    won, lost = int(met.wins[row, column]), int(met.wins[column, row])
    said = f"{won} / {len(met.names) - won - lost} / {lost}"
    return Entry(said, best=bool(met.p[row, column] <= SURE) and won > lost)
