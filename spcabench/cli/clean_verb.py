"""The verb clean."""

from __future__ import annotations

import click

from spcabench.cli import common


@click.command("clean", epilog="Example: spcabench clean reports/mnist_outlier")
@click.argument("run", metavar="RUN", shell_complete=common.complete_suite)
@click.pass_context
def command(ctx: click.Context, run: str) -> None:
    """Remove from RUN (a run's folder, or its suite's name) what its suite no longer plans, and stale records."""
    loaded, folder = common.existing_run(run, common.registry_of(ctx))
    with folder.held():
        index = folder.index
        kept = {index[cell.id] for cell in loaded.plan.cells if cell.id in index}
        draws = {cell.draw.id for cell in loaded.plan.cells}
        removed = folder.discard(kept, draws)
    click.echo(f"{folder.path}: {removed} files removed")
