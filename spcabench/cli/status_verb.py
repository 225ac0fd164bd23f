"""The verb status."""

from __future__ import annotations

import click

from spcabench.cli import common


@click.command("status", epilog="Example: spcabench status mnist_outlier")
@click.argument("run", metavar="RUN", shell_complete=common.complete_suite)
@click.pass_context
def command(ctx: click.Context, run: str) -> None:
    """Show how far RUN (a run's folder, or its suite's name) is, and what did not finish."""
    from spcabench.store.record import FINISHED

    loaded, folder = common.existing_run(run, common.registry_of(ctx))
    index = folder.index
    found = [(cell, folder.record(index.get(cell.id, ""))) for cell in loaded.plan.cells]
    statuses = [record.status if record else "pending" for _, record in found]
    counts = {status: statuses.count(status) for status in dict.fromkeys(statuses)}
    holder = folder.holder()
    click.echo(f"{folder.path}: " + (f"running ({holder})" if holder else "not running"))
    common.table([[status, str(count)] for status, count in counts.items()], ["status", "cells"])
    for cell, record in found:
        if record is not None and record.status not in FINISHED:
            click.echo(f"{record.status}: {cell.title}: {record.reason}")
