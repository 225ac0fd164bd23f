"""The verb plan."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import choice_options, complete_suite, registry_of, scale_option, setting_option
from spcabench.cli.terminal import show, table, warn

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.suite.load import Loaded
    from spcabench.suite.plan import Plan


def _print_schema(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the schema of suite files and end."""
    from spcabench.suite.load import suite_schema

    if wanted:
        show(json.dumps(suite_schema(registry_of(ctx)), indent=1))
        ctx.exit()


@click.command(
    "plan",
    epilog="Examples: spcabench plan leaderboard --set seeds=5 --only 'method=cop,dataset=hastie*'; "
    "spcabench plan suites/*.yaml --check; spcabench plan --schema > suite.schema.json",
)
@click.argument("suites", metavar="SUITE...", nargs=-1, required=True, shell_complete=complete_suite)
@scale_option
@setting_option
@choice_options
@click.option("--check", is_flag=True, help="Only check the files, at every scale: a line for each.")
@click.option(
    "--schema",
    is_flag=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON schema of suite files, with the names known here, for editors to complete.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    suites: tuple[str, ...],
    scale: str,
    settings: tuple[str, ...],
    check: bool,
    **chosen: tuple[str, ...],
) -> None:
    """Show how many cells each SUITE would run, and which it would skip and why.

    Each fault of a file is reported with its line and the nearest valid name.
    """
    from spcabench.run.options import Options
    from spcabench.suite.load import load_suite

    if check and (scale != "default" or any(chosen.values())):
        raise click.UsageError("--check checks whole files at every scale; with it goes --set alone")
    registry = registry_of(ctx)
    if check:
        _check(suites, settings, registry)
        return
    for number, suite in enumerate(suites):
        if number:
            show()
        loaded = load_suite(suite, registry, settings, scale)
        _show(loaded, Options(only=chosen["only"], skip=chosen["skip"]).chosen(loaded.plan))


def _show(loaded: Loaded, plan: Plan) -> None:
    """Show what one suite would run."""
    from spcabench.suite.load import cautions

    skipped = [cell for cell in plan.cells if cell.skip]
    show(f"{loaded.run_name}: {loaded.suite.title}")
    show(f"{len(plan.cells)} cells, {len(skipped)} of them skipped; {len(plan.draws)} data set draws")
    show(f"each fitted {loaded.suite.clock} time(s), at most {loaded.suite.limits.time:g} s a fit")
    show(f"scales: {', '.join(loaded.scales)}; this is {loaded.scale}\n")
    table([[label, str(count)] for label, count in plan.counts.items()], ["method", "cells"])
    for reason in dict.fromkeys(cell.skip for cell in skipped):
        show(f"\nskipped: {reason}")
    for text in cautions(loaded):
        warn(text)


def _check(suites: tuple[str, ...], settings: tuple[str, ...], registry: Registry) -> None:
    """Show of each suite that it is well formed, and warn of what it cannot mean.

    Raises
    ------
    InputError
        With the faults of all suites.
    """
    from spcabench.suite.load import cautions, load_scales
    from spcabench.wording import InputError

    faults = []
    for suite in suites:
        try:
            scales = load_scales(suite, registry, settings)
        except InputError as error:
            faults.extend(error.faults)
            continue
        default, *others = scales
        sizes = "".join(f", {loaded.scale} {len(loaded.plan.cells)}" for loaded in others)
        nothing = ", all of them skipped" if all(cell.skip for cell in default.plan.cells) else ""
        show(f"{suite}: well formed, {len(default.plan.cells)} cells{nothing}{sizes}")
        for text in dict.fromkeys(text for loaded in scales for text in cautions(loaded)):
            warn(f"{suite}: {text}")
    if faults:
        raise InputError(faults)
