"""The verb compare."""

from __future__ import annotations

import click

from spcabench.cli.shared import complete_suite, registry_of
from spcabench.cli.terminal import show
from spcabench.report.find_run import existing_run, gathered


@click.command("compare", epilog="Example: spcabench compare reports/before reports/after")
@click.argument("run_a", metavar="RUN_A", shell_complete=complete_suite)
@click.argument("run_b", metavar="RUN_B", shell_complete=complete_suite)
@click.pass_context
def command(ctx: click.Context, run_a: str, run_b: str) -> None:
    """Show what changed from RUN_A to RUN_B (runs' folders, or their suites' names).

    Cells are paired by data set, method, components, nonzeros and seed.  A metric that differs by less than 1e-9
    of its size is unchanged; a time is called changed only if that is beyond noise, for all methods at once.
    """
    from spcabench.report.compare import changes
    from spcabench.report.render.markdown import markdown_page

    registry = registry_of(ctx)
    a, b = (gathered(*existing_run(run, registry), registry) for run in (run_a, run_b))
    show(markdown_page(changes(a, b)))
