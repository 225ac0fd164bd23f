"""The verb plugins."""

from __future__ import annotations

import click

from spcabench.cli import common


@click.command("plugins", epilog="Example: spcabench --plugin my_method.py plugins")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the plugins found, what each provides, and why any is broken."""
    rows = []
    for plugin in common.registry_of(ctx).plugins:
        provides = "; ".join(", ".join(names) for names in plugin.provides.values())
        rows.append([plugin.name, plugin.origin, f"BROKEN: {plugin.broken}" if plugin.broken else provides])
    common.table(rows, ["plugin", "from", "provides"])
