"""The verb clean."""

from __future__ import annotations

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_suite
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show


@click.command("clean", epilog="Example: spcabench clean reports/mnist_outlier --yes")
@click.argument("run", metavar="RUN", shell_complete=complete_suite)
@click.option("--yes", is_flag=True, help="Remove them; without it they are only listed.")
@click.pass_context
def command(ctx: click.Context, run: str, yes: bool) -> None:
    """List or remove the stale records of RUN (a run's folder, or its suite's name) and cells it no longer plans."""
    loaded, folder = existing_run(run, registry_of(ctx))
    with folder.held():
        index = folder.index
        kept = {index[cell.id] for cell in loaded.plan.cells if cell.id in index}
        draws = {cell.draw.id for cell in loaded.plan.cells}
        records, drawn = folder.others(kept, draws)
        if yes:
            folder.forget(records, drawn)
    for key in records:
        show(f"record {key}")
    for draw in drawn:
        show(f"draw {draw}")
    outcome = "removed" if yes else "to remove; nothing is removed without --yes"
    show(f"{folder.path}: {len(records)} records and {len(drawn)} draws {outcome}")
