"""The verb report."""

from __future__ import annotations

import click

from spcabench.cli.execute import execute, published_page, published_suites
from spcabench.cli.shared import PUBLISHED, files_of, registry_of, runs_argument
from spcabench.cli.terminal import say, show
from spcabench.report.find_run import existing_run, gathered


@click.command(
    "report",
    epilog="Examples: spcabench report reports/mnist_outlier; "
    "spcabench report published cop_pitprops spcart_pitprops > page.md",
)
@runs_argument
@click.option("--rescore", is_flag=True, help="Compute the metrics anew from the loadings first; nothing is fitted.")
@click.pass_context
def command(ctx: click.Context, runs: tuple[str, ...], rescore: bool) -> None:
    """Make the report of each RUN (a run's folder, or its suite's name) again, from its records alone.

    "published" in place of the first RUN prints one Markdown page of the published numbers beside ours: of the RUNs
    after it, which must be at one scale, or of all suites that have such numbers.

    To report other columns or figures, change the suite and run it again: what is fitted stays.
    """
    from spcabench.report.build import build
    from spcabench.run.options import Options

    if runs[0] == PUBLISHED and rescore:
        raise click.UsageError(f"{PUBLISHED} takes no --rescore")
    registry = registry_of(ctx)
    if runs[0] == PUBLISHED:
        chosen = runs[1:] or [loaded.run_name for loaded in published_suites(registry)]
        show(published_page([gathered(*existing_run(run, registry), registry) for run in chosen]), nl=False)
        return
    well = True
    for run in runs:
        loaded, folder = existing_run(run, registry)
        if rescore:
            well &= execute(loaded, folder, registry, Options(rescore=True, plugins=files_of(ctx)))
        else:
            page = build(gathered(loaded, folder, registry), say)
            show(f"report: {page}, {page.with_suffix('.html').name}")
    if not well:
        ctx.exit(1)
