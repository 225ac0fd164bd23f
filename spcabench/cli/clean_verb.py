"""The verb clean."""

from __future__ import annotations

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_suite
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.errors import InputError


@click.command("clean", epilog="Example: spcabench clean reports/mnist_outlier --yes")
@click.argument("run", metavar="RUN", shell_complete=complete_suite)
@click.option("--yes", is_flag=True, help="Remove the files; without it they are only listed.")
@click.pass_context
def command(ctx: click.Context, run: str, yes: bool) -> None:
    """List or remove the stale records of RUN (a run's folder, or its suite's name) and cells it no longer plans."""
    loaded, folder = existing_run(run, registry_of(ctx))
    with folder.held():
        index = folder.index
        if folder.damages:
            raise InputError(f"{folder.damages[0]}; nothing is removed")
        kept = {index[cell.id] for cell in loaded.plan.cells if cell.id in index}
        draws = {cell.draw.id for cell in loaded.plan.cells}
        stale = folder.others(kept, draws)
        for name in stale:
            if yes:
                folder.remove(name)
            show(str(folder.path / name))
    outcome = "removed" if yes else "to remove; nothing is removed without --yes"
    show(f"{folder.path}: {len(stale)} files {outcome}")
