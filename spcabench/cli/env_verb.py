"""The verb env."""

from __future__ import annotations

import click

from spcabench.cli import common


@click.command("env", epilog="Example: spcabench env")
def command() -> None:
    """Show the machine and the versions that a run here is made with."""
    from spcabench.run.environment import describe

    common.table([[name, value] for name, value in describe().items()], ["what", "here"])
