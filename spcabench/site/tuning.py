"""What each method spent on finding its penalties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import signature

from spcabench.calibrate import search_penalty
from spcabench.report.document import METHOD, Columns, Entry, Field, Note, Row, tabled
from spcabench.report.model import Results
from spcabench.site.board import Board, Standing
from spcabench.site.costs import Fits, fits
from spcabench.site.pages import Part

MOST_FITS: int = signature(search_penalty).parameters["max_fits"].default


def tuning(board: Board, runs: Sequence[Results]) -> Iterator[Part]:
    """Yield a note on the budget, which is equal, and the table of what each method spent of it."""
    spent = fits(runs, {(task.run, task.dataset) for task in board.tasks})
    rows = [row for row in board.rows if not row.dense and row.method in spent]
    yield Note(
        f"A method that takes its number of nonzeros needs no search.  For the others the host searches the penalty, "
        f"with at most {MOST_FITS} fits a component: the same for all.  The time of the search counts."
    )
    columns: Columns[tuple[Standing, Fits]] = (
        (METHOD, lambda one: Entry(one[0].method)),
        (Field("fits", "fits of the search, a cell", numeric=True), lambda one: Entry(one[1].mean)),
        (Field("most", "at most", numeric=True), lambda one: Entry(one[1].most)),
        (Field("share", "share of the time", numeric=True), lambda one: Entry(one[1].share, unit="%")),
        (Field("failed", "failed or missed", numeric=True), lambda one: Entry(f"{one[0].failed} of {one[0].planned}")),
    )
    pairs = sorted(((row, spent[row.method]) for row in rows), key=lambda one: -one[1].mean)
    if table := tabled("", "Over the cells that finished.", columns, pairs, lambda one, e: Row(e, one[0].method)):
        yield table
