"""The verb try."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from typing import Any

import click

from spcabench.cli.shared import output_option
from spcabench.cli.terminal import say, show


@click.command(
    "try",
    epilog="Examples: spcabench try wine.csv; spcabench try genes.parquet --components 3 --budget 5min; "
    "spcabench try wine.csv --drop 'sample id' --label cultivar --missing median -o wine_answer. "
    "Exit codes: 0 all well, 2 bad input, 130 interrupted.",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--components", "n_components", type=click.IntRange(1, 100), help="How many components.  [default: counted]"
)
@click.option("--nonzeros", "n_nonzero", type=click.IntRange(1), help="Variables of each component.  [default: chosen]")
@click.option(
    "--budget",
    metavar="TIME",
    help="Time for more half-samples and other methods, such as 60s or 5min; the components stay.  [default: none]",
)
@output_option("FOLDER", "Where the answer goes.  [default: reports/try-FILE]")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave out a column; may be repeated.")
@click.option("--keep", multiple=True, metavar="COLUMN", help="Keep a column of numbers, whatever it seems to be.")
@click.option("--label", metavar="COLUMN", help="The column of classes, which colours the scores.  [default: found]")
@click.option(
    "--missing",
    type=click.Choice(["drop", "median", "error"]),
    help="Missing values: leave out the rows, fill in medians, or stop.  [default: drop if 90 % of rows are complete]",
)
@click.option(
    "--standardise/--no-standardise",
    default=None,
    help="Divide variables by their standard deviations.  [default: if these differ tenfold, or are equal]",
)
@click.option("--independent-rows", is_flag=True, help="Take rows as independent, however alike.")
def try_verb(file: Path, budget: str | None, output: Path | None, keep: tuple[str, ...], **wishes: Any) -> None:
    """Find sparse components of the table FILE: how many, of which variables, how sure; or that there are none.

    FILE is CSV, TSV, parquet, .xlsx, .npy or .npz (also a sparse matrix), or the name of a table that
    scikit-learn has, such as wine.  On a terminal you are asked about a column that seems to be a target.  The answer
    is printed, and written as report.html and report.md with figures, loadings.csv, refit.py and refit.ipynb.
    """
    from spcabench.explore.values import seconds_of
    from spcabench.process import numba_cache

    seconds = seconds_of(budget) if budget else 0.0
    os.environ |= numba_cache(os.environ)
    from spcabench.explore.document import write_answer
    from spcabench.explore.trying import explore, table_of
    from spcabench.explore.understanding import targets
    from spcabench.store.folder import RunFolder

    source = table_of(file)
    if sys.stdin.isatty():
        named = {*wishes["drop"], *keep, wishes["label"]}
        asked = (name for name in targets(source.frame) if name not in named)
        words = "Leave out '{}', which seems to be a target?"
        keep += tuple(name for name in asked if not click.confirm(words.format(name), default=True, err=True))
    answer = explore(source, keep=keep, budget=seconds, progress=say, **wishes)
    for line in str(answer).splitlines():
        show(textwrap.fill(line, 100))
    folder = output if output is not None else Path("reports") / f"try-{file.name.split('.')[0]}"
    write_answer(answer, RunFolder(folder), say)
    show(f"\nreport: {folder / 'report.html'}, report.md; in Python: refit.py, refit.ipynb, loadings.csv")
