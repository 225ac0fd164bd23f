"""The verb schema."""

from __future__ import annotations

import json

import click

from spcabench.cli.registry import registry_of
from spcabench.cli.show import show


@click.command("schema", epilog="Example: spcabench schema > suite.schema.json")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Print the JSON schema of suite files, with the names known here, for editors to complete."""
    from spcabench.suite.schema import suite_schema

    show(json.dumps(suite_schema(registry_of(ctx)), indent=1))
