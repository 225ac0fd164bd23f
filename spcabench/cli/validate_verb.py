"""The verb validate."""

from __future__ import annotations

import click

from spcabench.cli.complete import complete_suite
from spcabench.cli.options import setting_option
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.cli.warn import warn


@click.command("validate", epilog="Example: spcabench validate suites/*.yaml")
@click.argument("suites", nargs=-1, required=True, shell_complete=complete_suite)
@setting_option
@click.pass_context
def command(ctx: click.Context, suites: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """Check SUITES at every scale without running them; report each fault with its line and the nearest valid name."""
    from spcabench.errors import InputError
    from spcabench.suite.cautions import cautions
    from spcabench.suite.load import load_scales

    registry = registry_of(ctx)
    faults = []
    for suite in suites:
        try:
            scales = load_scales(suite, registry, settings)
            default, *others = scales
            sizes = "".join(f", {loaded.scale} {len(loaded.plan.cells)}" for loaded in others)
            nothing = ", all of them skipped" if all(cell.skip for cell in default.plan.cells) else ""
            show(f"{suite}: well formed, {len(default.plan.cells)} cells{nothing}{sizes}")
            for text in dict.fromkeys(text for loaded in scales for text in cautions(loaded, registry)):
                warn(f"{suite}: {text}")
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
