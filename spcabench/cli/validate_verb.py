"""The verb validate."""

from __future__ import annotations

import click

from spcabench.cli import common


@click.command("validate", epilog="Example: spcabench validate suites/*.yaml")
@click.argument("suites", nargs=-1, required=True, shell_complete=common.complete_suite)
@common.setting_option
@click.pass_context
def command(ctx: click.Context, suites: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """Check SUITES without running them: every fault with file, line and the nearest valid name."""
    from spcabench.errors import InputError
    from spcabench.suite.load import load_suite

    registry = common.registry_of(ctx)
    faults = []
    for suite in suites:
        try:
            loaded = load_suite(suite, registry, settings)
            click.echo(f"{suite}: well formed, {len(loaded.plan.cells)} cells")
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
