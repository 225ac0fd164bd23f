"""The main table of a document on a terminal."""

from __future__ import annotations

from rich.cells import cell_len

from spcabench.report.document import COMPONENTS, DATASET, LEVEL, METHOD, Document, Table
from spcabench.report.render.text import one_line, split, tabulated

FIRST = (DATASET, METHOD, LEVEL)
"""The columns that come first, in this order: who, and how sparse."""

LEAST_COLUMNS = 4
"""Columns that stay however narrow the terminal is: those, and the first result."""


def main_table(document: Document, width: int) -> str:
    """Write the title, what the run comes to, the main table and the outcome.

    No cell is broken: where the terminal is too narrow, columns go from the end, and the last line says where they are.
    A star marks what may be the best.  What plugins named is text, never markup.

    Parameters
    ----------
    document : Document
        The report.
    width : int
        Of the terminal, in characters.
    """
    table = document.tables.get("main")
    grid, left_out = _fitted(table, width) if table else ("", 0)
    more = f"{left_out} more {'column' if left_out == 1 else 'columns'}: report.md" if left_out else ""
    opening = map(one_line, (document.title, document.lead))
    return "\n".join(filter(None, (*opening, grid, document.outcome, more)))


def _fitted(table: Table, width: int) -> tuple[str, int]:
    """Return the table with as many columns as fit, and how many were left out; what all rows agree in stands above."""
    shared, others = split(table)
    above = [one_line(f"{field.heading}: {text}") for field, text in shared if field == DATASET]
    vary = [one for one in others if one[1] != COMPONENTS or len({row[one[0]].value for row in table.shown}) > 1]
    fields = sorted(vary, key=lambda one: FIRST.index(one[1]) if one[1] in FIRST else len(FIRST))
    for left_out in range(len(fields)):
        shown = fields[: len(fields) - left_out]
        grid = tabulated(table, "simple", one_line, "{} *", shown)
        if len(shown) <= LEAST_COLUMNS or max(map(cell_len, grid.splitlines())) <= width:
            break
    return "\n".join([*above, grid]), left_out
