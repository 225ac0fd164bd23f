"""The verb report."""

from __future__ import annotations

import click

from spcabench.cli.execute import execute
from spcabench.cli.shared import files_of, registry_of, runs_argument
from spcabench.cli.terminal import say, show
from spcabench.report.find_run import existing_run, gathered


@click.command(
    "report",
    epilog="Example: spcabench report reports/mnist_outlier",
)
@runs_argument
@click.option("--rescore", is_flag=True, help="Compute the metrics anew from the loadings first; nothing is fitted.")
@click.pass_context
def command(ctx: click.Context, runs: tuple[str, ...], rescore: bool) -> None:
    """Make the report of each RUN (a run's folder, or its suite's name) again, from its records alone.

    To report other columns or figures, change the suite and run it again: what is fitted stays.
    """
    from spcabench.report.build import build
    from spcabench.run.options import Options

    registry = registry_of(ctx)
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
