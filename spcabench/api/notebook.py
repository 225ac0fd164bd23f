"""What a notebook shows of results: what became of the cells, and the main table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from spcabench.report.contents import outcome
from spcabench.report.model import Results
from spcabench.report.render.html import Cell, Grid, grid
from spcabench.report.tables import main

MOST_ROWS = 60
"""Rows that a notebook shows; `spcabench.Results.table` has all."""


def html(results: Results) -> str:
    """Return the results as HTML; what plugins named is text in it, never markup."""
    return "".join(_parts(results))


def _parts(results: Results) -> Iterator[str]:
    yield f"<div><p><b>{escape(results.suite.title or results.suite.name)}</b>. {escape(outcome(results))}</p>"
    for name in results.stand_ins:
        yield f"<p><b>Stand-in data: {escape(name)}. These are not the results of the real data set.</b></p>"
    table = main(results)
    if table:
        yield from _table(grid(table))
    yield "</div>"


def _table(view: Grid) -> Iterator[str]:
    if view.shared:
        yield f"<p>{escape(', '.join(f'{name} {text}' for name, text in view.shared))}</p>"
    yield "<table><thead><tr>"
    yield from (f'<th style="text-align:left">{escape(field.heading)}</th>' for field in view.fields)
    yield "</tr></thead><tbody>"
    for _, cells in view.rows[:MOST_ROWS]:
        yield f"<tr>{''.join(map(_cell, cells))}</tr>"
    yield "</tbody></table>"
    more = len(view.rows) - MOST_ROWS
    if more > 0:
        yield f"<p>And {more} more rows: <code>.table()</code> has all.</p>"
    yield f"<p>{escape(view.caption)}</p>"


def _cell(cell: Cell) -> str:
    text = f"<b>{escape(cell.text)}</b>" if cell.best else escape(cell.text)
    return f'<td style="text-align:left">{text}</td>'
