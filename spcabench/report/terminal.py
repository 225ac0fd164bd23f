"""The main table at the end of a run, on a terminal."""

from __future__ import annotations

from itertools import groupby

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from spcabench.report import tables
from spcabench.report.results import Results


def main_table(results: Results) -> Table:
    """Make the main table for a terminal: the methods under the data set they were fitted to.

    What plugins named is text, never markup.
    """
    table = tables.main(results)
    columns = ["method", "nonzeros", *table.cells.columns[4:]]
    drawn = Table(
        title=Text(results.suite.title or results.suite.name),
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        caption=Text(f"{results.suite.n_components} components.  {tables.outcome(results)}"),
        caption_justify="left",
    )
    for name in columns:
        drawn.add_column(Text(name), justify="right" if name in table.right else "left", overflow="fold")
    entries = list(enumerate(table.cells.to_dict("records")))
    for dataset, rows in groupby(entries, key=lambda entry: entry[1]["data set"]):
        drawn.add_section()
        drawn.add_row(Text(str(dataset), "bold red" if dataset in results.stand_ins else "bold"))
        for row, texts in rows:
            drawn.add_row(
                *(Text(str(texts[name]), "bold green" if (row, name) in table.best else "") for name in columns)
            )
    return drawn
