"""The verb plugins."""

from __future__ import annotations

import click

from spcabench.cli.shared import registry_of
from spcabench.cli.terminal import table


@click.command("plugins", epilog="Example: spcabench --plugin my_method.py plugins")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the plugins found, what each provides, and why any is broken."""
    registry = registry_of(ctx)
    rows = []
    for plugin in registry.plugins:
        provides = "; ".join(", ".join(names) for names in plugin.provides.values())
        rows.append([plugin.name, plugin.origin, f"BROKEN: {plugin.broken}" if plugin.broken else provides])
    table(rows, ["plugin", "from", "provides"])
