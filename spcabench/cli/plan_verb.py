"""The verb plan."""

from __future__ import annotations

import click

from spcabench.cli.options import choice_options, scale_option, setting_option, suite_argument
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.cli.tables import table
from spcabench.cli.warn import warn


@click.command("plan", epilog="Example: spcabench plan leaderboard --set seeds=5 --only 'method=cop,dataset=hastie*'")
@suite_argument
@scale_option
@setting_option
@choice_options
@click.option("--cells", is_flag=True, help="List every cell.")
@click.pass_context
def command(
    ctx: click.Context,
    suite: str,
    scale: str,
    settings: tuple[str, ...],
    only: tuple[str, ...],
    skip: tuple[str, ...],
    cells: bool,
) -> None:
    """Show how many cells SUITE would run, and which it would skip and why."""
    from spcabench.run.options import Options
    from spcabench.suite.cautions import cautions
    from spcabench.suite.load import load_suite

    registry = registry_of(ctx)
    loaded = load_suite(suite, registry, settings, scale)
    plan = Options(only=only, skip=skip).chosen(loaded.plan)
    skipped = [cell for cell in plan.cells if cell.skip]
    show(f"{loaded.run_name}: {loaded.suite.title}")
    show(f"{len(plan.cells)} cells, {len(skipped)} of them skipped; {len(plan.draws)} data set draws")
    show(f"each fitted {loaded.suite.clock} time(s), at most {loaded.suite.limits.time:g} s a fit")
    show(f"scales: {', '.join(loaded.scales)}; this is {loaded.scale}\n")
    table([[label, str(count)] for label, count in plan.counts.items()], ["method", "cells"])
    if cells:
        show()
        for cell in plan.cells:
            show(f"{cell.id}  {cell.title}" + (f"  SKIPPED: {cell.skip}" if cell.skip else ""))
    for reason in dict.fromkeys(cell.skip for cell in skipped):
        show(f"\nskipped: {reason}")
    for text in cautions(loaded, registry):
        warn(text)
