"""The verb try."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spcabench.cli.shared import jobs_option, output_option, registry_of
from spcabench.cli.terminal import say, show

if TYPE_CHECKING:
    from spcabench.explore.answer import Answer


@click.command(
    "try",
    epilog="Examples: spcabench try wine.csv; spcabench try genes.parquet --components 3 --budget 5min; "
    "spcabench try wine.csv --drop 'sample id' --label cultivar --missing median -o wine_answer. "
    "Exit codes: 0 all well, 2 bad input, 130 interrupted; running again resumes.",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--components", "n_components", type=click.IntRange(1, 100), help="How many components.  [default: counted]"
)
@click.option("--nonzeros", "n_nonzero", type=click.IntRange(1), help="Variables of each component.  [default: chosen]")
@click.option("--budget", default="60s", show_default=True, metavar="TIME", help="Wall time, such as 60s or 5min.")
@output_option("FOLDER", "Where the answer goes.  [default: reports/try-FILE]")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave out a column; may be repeated.")
@click.option("--keep", multiple=True, metavar="COLUMN", help="Keep a column of numbers, whatever it seems to be.")
@click.option("--label", metavar="COLUMN", help="The column of classes, which colours the scores.  [default: found]")
@click.option(
    "--missing",
    type=click.Choice(["drop", "median", "em", "error"]),
    help="Missing values: leave out the rows, fill in medians, estimate second moments by expectation maximisation, or "
    "stop.  [default: drop if 90 % of rows are complete]",
)
@click.option(
    "--standardise/--no-standardise",
    default=None,
    help="Divide variables by their standard deviations.  [default: if these differ tenfold]",
)
@jobs_option
@click.pass_context
def command(ctx: click.Context, /, file: Path, budget: str, output: Path | None, **wishes: Any) -> None:
    """Find sparse components of the table FILE: how many, which variables, which method, how sure.

    FILE is CSV, TSV, parquet, .xlsx, .npy, .npz (also a sparse matrix) or .h5ad.  The answer is printed, and written as
    report.html and report.md with figures, loadings.csv, refit.py and refit.ipynb.
    """
    from spcabench.explore.wishes import Budget, Heard, Wishes, seconds_of
    from spcabench.process import numba_cache

    time = Budget(seconds_of(budget))
    os.environ |= numba_cache(os.environ)  # this process and its workers compile once together
    from spcabench.explore.trying import try_table
    from spcabench.run.progress import listener

    folder = output if output is not None else Path("reports") / f"try-{file.name.split('.')[0]}"
    with listener() as tell:
        heard = Heard(say=show, progress=say, tell=tell)
        answer = try_table(Wishes(file=file, folder=folder, budget=time, **wishes), registry_of(ctx), heard)
    _show(answer, folder)
    show(f"It took {time.spent:.0f} s; the budget was {time.seconds:g} s.")


def _show(answer: Answer, folder: Path) -> None:
    """Print the answer, and the Python that fits it again."""
    from spcabench.explore.answer import facts, headline
    from spcabench.explore.refit import script

    show()
    show(headline(answer))
    for question, text in facts(answer):
        show(f"\n{question}")
        show(textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="  "))
    show(f"\nIn Python ({folder / 'refit.py'}, {folder / 'refit.ipynb'}):\n")
    show(script(answer.steps))
    show(f"report: {folder / 'report.html'}, report.md")
