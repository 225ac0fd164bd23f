"""The verb try."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import click

from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.cli.warn import say


@click.command(
    "try",
    epilog="Examples: spcabench try wine.csv; spcabench try genes.parquet --components 3 --budget 5min; "
    "spcabench try wine.csv --drop 'sample id' --label cultivar --missing median -o wine_answer. "
    "Exit codes: 0 all well, 2 bad input, 130 interrupted; running again resumes.",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--components", type=click.IntRange(1, 100), help="How many components.  [default: counted]")
@click.option("--nonzeros", type=click.IntRange(1), help="Variables of each component.  [default: chosen]")
@click.option("--budget", default="60s", show_default=True, metavar="TIME", help="Wall time, such as 60s or 5min.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the answer goes.  [default: reports/try-FILE]",
)
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
@click.option("--jobs", "-j", default=1, show_default=True, type=click.IntRange(1, 1024), help="Fits at once.")
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    components: int | None,
    nonzeros: int | None,
    budget: str,
    output: Path | None,
    drop: tuple[str, ...],
    keep: tuple[str, ...],
    label: str | None,
    missing: Literal["drop", "median", "em", "error"] | None,
    standardise: bool | None,
    jobs: int,
) -> None:
    """Find sparse components of the table FILE: how many, which variables, which method, how sure.

    FILE is CSV, TSV, parquet, .npy, .npz (also a sparse matrix) or .h5ad.  The answer is printed, and written as
    report.html and report.md with figures, loadings.csv, refit.py and refit.ipynb.
    """
    from spcabench.explore.wishes import Budget, Heard, Wishes, seconds_of
    from spcabench.run.numba_cache import numba_cache

    time = Budget(seconds_of(budget))
    os.environ |= numba_cache(os.environ)  # this process and its workers compile once together
    from spcabench.explore.trying import try_table
    from spcabench.run.progress import listener

    folder = output if output is not None else Path("reports") / f"try-{file.name.split('.')[0]}"
    wishes = Wishes(
        file=file,
        folder=folder,
        budget=time,
        n_components=components,
        n_nonzero=nonzeros,
        label=label,
        drop=drop,
        keep=keep,
        missing=missing,
        standardise=standardise,
        jobs=jobs,
    )
    with listener() as tell:
        answer = try_table(wishes, registry_of(ctx), Heard(say=show, progress=say, tell=tell))
    _show(answer, folder)
    show(f"It took {time.spent:.0f} s; the budget was {time.seconds:g} s.")


def _show(answer: object, folder: Path) -> None:
    """Print the answer, and the Python that fits it again."""
    import textwrap

    from spcabench.explore.answer import Answer, facts, headline
    from spcabench.explore.refit import script

    assert isinstance(answer, Answer)
    show()
    show(headline(answer))
    for question, text in facts(answer):
        show()
        show(question)
        show(textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="  "))
    show()
    show(f"In Python ({folder / 'refit.py'}, {folder / 'refit.ipynb'}):")
    show()
    show(script(answer.steps))
    show(f"report: {folder / 'report.html'}, report.md")
