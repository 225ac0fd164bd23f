"""The verbs try and run: a table of the user's own; one suite, or all with published numbers, and their reports."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spcabench.cli.shared import (
    choice_options,
    complete_suite,
    files_of,
    jobs_option,
    output_option,
    registry_of,
    scale_option,
    setting_option,
)
from spcabench.cli.terminal import say, show, warn
from spcabench.store.status import FAILED, retried
from spcabench.wording import encoded, roughly

PUBLISHED = "published"
"""What stands for all suites with published numbers in place of the name of one."""
WIDE = 240
"""Columns of a table that is written to a file or a pipe."""
REPORTS = Path("reports")
"""Where runs go."""


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
    folder = output if output is not None else REPORTS / f"try-{file.name.split('.')[0]}"
    write_answer(answer, RunFolder(folder), say)
    show(f"\nreport: {folder / 'report.html'}, report.md; in Python: refit.py, refit.ipynb, loadings.csv")


if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.run.options import Options
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import Loaded


@click.command(
    "run",
    epilog="Examples: spcabench run mnist_outlier --quick; spcabench run my_suite.yaml --jobs 2 --set n_components=10; "
    "spcabench run leaderboard --only 'method=cop,dataset=hastie*'; spcabench run published. "
    "Exit codes: 0 all well, 1 some cells failed, 2 bad input, 130 interrupted.",
)
@click.argument("suite", shell_complete=complete_suite)
@scale_option
@output_option("FOLDER", "The run's folder.  [default: reports/SUITE, or reports/SUITE-SCALE for a scale]")
@setting_option
@jobs_option
@click.option(
    "--retry",
    default="",
    callback=lambda ctx, param, value: retried(value),
    metavar="STATUS,...",
    help=f"Fit cells with these statuses again; failed stands for {', '.join(FAILED)}.",
)
@choice_options
@click.option("--no-isolation", is_flag=True, help="Fit in this process: no limits, and a crash ends the run.")
@click.option(
    "--cluster",
    default="",
    metavar="WHERE",
    help="Fit on a Dask cluster: tcp://HOST:PORT of its scheduler, or FILE.py, which defines one as cluster.",
)
@click.pass_context
def run_verb(
    ctx: click.Context,
    /,
    suite: str,
    scale: str,
    output: Path | None,
    settings: tuple[str, ...],
    no_isolation: bool,
    **chosen: Any,
) -> None:
    """Run SUITE, a name or a file; run it again to resume.

    Fits the methods to the data sets, each fit in a process of its own, and leaves records, tables, figures
    and report.md in the run's folder.  The SUITE "published" stands for each suite with published numbers or claims:
    their runs go to subfolders of FOLDER, and the page published.md there sets these numbers beside ours.
    """
    from spcabench.run.options import Options
    from spcabench.store.about import About
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import cautions, load_suite

    if chosen["cluster"] and no_isolation:
        raise click.UsageError("--cluster and --no-isolation exclude each other")
    registry = registry_of(ctx)
    options = Options(
        isolation=not no_isolation,
        plugins=files_of(ctx),
        about=About(command=shlex.join(["spcabench", *sys.argv[1:]]), settings=settings),
        **chosen,
    )
    if suite == PUBLISHED:
        if scale != "default" or settings or chosen["only"] or chosen["skip"]:
            raise click.UsageError(f"{PUBLISHED} are whole suites at their default scale; run one of them by its name")
        run_published(output or REPORTS, registry, options)
        return
    loaded = load_suite(suite, registry, settings, scale)
    for text in cautions(loaded):
        warn(text)
    folder = RunFolder(output or REPORTS / loaded.run_name)
    say(announced(loaded, folder.path, options))
    if not execute(loaded, folder, registry, options):
        ctx.exit(1)


def announced(loaded: Loaded, folder: Path, options: Options) -> str:
    """Return a line with what is run, how long it takes where the suite says so, and where the results go."""
    cells = options.chosen(loaded.plan).cells
    duration = "the first fits will show how long it takes"
    if loaded.suite.minutes is not None and not options.about.settings:  # a setting changes how long it takes
        share = len(cells) / len(loaded.plan.cells) / max(1, min(options.jobs, len(cells)))
        duration = f"{roughly(60 * loaded.suite.minutes * share)} if nothing is done yet"
    return f"{loaded.suite.name}: {len(cells)} cells; {duration}; results go to {folder}"


def execute(loaded: Loaded, folder: RunFolder, registry: Registry, options: Options) -> bool:
    """Run, make the report, show the main table, and return whether all cells are well."""
    from spcabench.api.running import fitted
    from spcabench.report.build import document, metric_failures, write
    from spcabench.report.render.terminal import main_table

    results = fitted(loaded, folder, registry, options)
    report = document(results)
    page = write(report, folder, say)
    show(main_table(report, shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE))
    for text in metric_failures(results):
        warn(text)
    show(f"report: {page}, {page.with_suffix('.html').name}")
    lacking = int(((results.frame["status"] == "unavailable") & (results.frame["worker"] != "")).sum())
    if lacking:
        warn(f"{lacking} cells are unavailable on Dask workers; running again tries them again")
    return not (lacking or results.frame["status"].isin(FAILED).any())


def published_suites(registry: Registry) -> Iterator[Loaded]:
    """Yield the suites with published numbers or claims, at their default scale."""
    from spcabench.suite.load import load_suite
    from spcabench.suite.yaml_source import suite_files

    for name in sorted(suite_files()):
        loaded = load_suite(name, registry)
        if loaded.suite.published or loaded.suite.claims:
            yield loaded


def run_published(folder: Path, registry: Registry, options: Options) -> None:
    """Run or resume the suites with published numbers or claims, and write the page of these numbers beside ours."""
    from spcabench.api.running import fitted
    from spcabench.report.papers import overview
    from spcabench.report.render.markdown import markdown_page
    from spcabench.store.files import write_bytes
    from spcabench.store.folder import RunFolder

    made = []
    for loaded in published_suites(registry):
        say(loaded.suite.name)
        place = RunFolder(folder / loaded.run_name)
        results = fitted(loaded, place, registry, options)
        made.append(results)
        if failed := int(results.frame["status"].isin(FAILED).sum()):
            warn(f"{loaded.suite.name}: {failed} cells failed; see spcabench status {place.path}")
    show(f"page: {write_bytes(folder / 'published.md', encoded(markdown_page(overview(made))))}")
