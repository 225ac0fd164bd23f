"""The verb published."""

from __future__ import annotations

import click

from spcabench.cli.complete import complete_suite
from spcabench.cli.execute import results_of
from spcabench.cli.find_run import existing_run
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show


@click.command("published", epilog="Example: spcabench published cop_pitprops spcart_pitprops > reports/published.md")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", shell_complete=complete_suite)
@click.pass_context
def command(ctx: click.Context, runs: tuple[str, ...]) -> None:
    """Print every published number of RUNS (folders, or names of suites) beside ours, as one Markdown page."""
    from spcabench.report.document import overview
    from spcabench.report.render.markdown import page

    registry = registry_of(ctx)
    found = [results_of(*existing_run(run, registry), registry) for run in runs]
    show(page(overview(found)), nl=False)
