"""What a notebook shows of results: what became of the cells with the main table, and a figure."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from spcabench.report.build import PICTURES, SCALE
from spcabench.report.contents import outcome
from spcabench.report.model import Results
from spcabench.report.render.html import Cell, grid
from spcabench.report.tables import main
from spcabench.store.files import write_bytes
from spcabench.wording import InputError

MOST_ROWS = 60
"""Rows that a notebook shows; `spcabench.Results.table` has all."""


@dataclass(frozen=True)
class Figure:
    """A figure, which shows itself in a notebook, without a network.

    Parameters
    ----------
    name : str
        Its name in suites.
    title : str
        What it shows, in a line.
    chart : spcabench.report.figures.views.View
        To show it with tooltips; ``chart.to_dict()`` is its specification of Vega-Lite.
    """

    name: str
    title: str
    chart: Any = field(repr=False, compare=False)

    @cached_property
    def svg(self) -> str:
        """The figure as SVG."""
        import vl_convert

        text: str = vl_convert.vegalite_to_svg(self.chart.to_dict())
        return text

    def save(self, path: str | Path) -> Path:
        """Write the figure as SVG, PNG or PDF, by the end of the file's name.

        Raises
        ------
        InputError
            If it ends in anything else, or cannot be written.
        """
        import vl_convert

        path = Path(path)
        kind = path.suffix.removeprefix(".").lower()
        if kind not in PICTURES:
            raise InputError(f"{path}: a figure ends in one of {', '.join(f'.{ending}' for ending in PICTURES)}")
        content = {
            "svg": lambda: self.svg.encode(),
            "png": lambda: vl_convert.svg_to_png(self.svg, scale=SCALE),
            "pdf": lambda: vl_convert.svg_to_pdf(self.svg),
        }[kind]()
        write_bytes(path, content)
        return path

    def _repr_svg_(self) -> str:
        return self.svg


def html(results: Results) -> str:
    """Return the results as HTML; what plugins named is text in it, never markup."""
    parts = [f"<p><b>{escape(results.suite.title or results.suite.name)}</b>. {escape(outcome(results))}</p>"]
    for name in results.stand_ins:
        parts.append(f"<p><b>Stand-in data: {escape(name)}. These are not the results of the real data set.</b></p>")
    table = main(results)
    if table:
        view = grid(table)
        parts.append(
            f"<p>{escape(', '.join(f'{name} {text}' for name, text in view.shared))}</p>" if view.shared else ""
        )
        rows = [[_cell(cell) for cell in cells] for _, cells in view.rows[:MOST_ROWS]]
        frame = pd.DataFrame(rows, columns=[escape(field.heading) for field in view.fields])
        parts.append(frame.to_html(index=False, escape=False, border=0, justify="left"))
        more = len(view.rows) - MOST_ROWS
        parts.append(f"<p>And {more} more rows: <code>.table()</code> has all.</p>" if more > 0 else "")
        parts.append(f"<p>{escape(view.caption)}</p>")
    return f"<div>{''.join(parts)}</div>"


def _cell(cell: Cell) -> str:
    return f"<b>{escape(cell.text)}</b>" if cell.best else escape(cell.text)
