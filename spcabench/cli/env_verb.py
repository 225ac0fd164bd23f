"""The verb env."""

from __future__ import annotations

import click

from spcabench.cli.registry import registry_of
from spcabench.cli.tables import table


@click.command("env", epilog="Example: spcabench env")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show this machine, and the versions of Python and the libraries that a run uses."""
    from spcabench.plugins import plugin_files
    from spcabench.run.environment import describe, pools

    registry_of(ctx)  # reports what is wrong with a plugin file
    here = describe(plugin_files(ctx.find_root().obj or ()))
    threads = {f"threads of {pool}": f"{count}; a fit has as many as its suite says" for pool, count in pools().items()}
    table([[name, value] for name, value in {**here, **threads}.items()], ["what", "here"])
