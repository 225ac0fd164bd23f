"""The verb plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
    from spcabench.suite.schema import suite_schema

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
@click.option("--cells", is_flag=True, help="List every cell.")
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
    cells: bool,
    check: bool,
    **chosen: tuple[str, ...],
) -> None:
    """Show how many cells each SUITE would run, and which it would skip and why.

    Each fault of a file is reported with its line and the nearest valid name.
    """
    from spcabench.run.options import Options
    from spcabench.suite.load import load_suite

    if check and (scale != "default" or any(chosen.values()) or cells):
        raise click.UsageError("--check checks whole files at every scale; with it goes --set alone")
    registry = registry_of(ctx)
    if check:
        _check(suites, settings, registry)
        return
    for number, suite in enumerate(suites):
        if number:
            show()
        loaded = load_suite(suite, registry, settings, scale)
        _show(loaded, Options(only=chosen["only"], skip=chosen["skip"]).chosen(loaded.plan), cells)


def _show(loaded: Loaded, plan: Plan, listed: bool) -> None:
    """Show what one suite would run."""
    from spcabench.suite.load import cautions

    skipped = [cell for cell in plan.cells if cell.skip]
    show(f"{loaded.run_name}: {loaded.suite.title}")
    show(f"{len(plan.cells)} cells, {len(skipped)} of them skipped; {len(plan.draws)} data set draws")
    show(f"each fitted {loaded.suite.clock} time(s), at most {loaded.suite.limits.time:g} s a fit")
    show(f"scales: {', '.join(loaded.scales)}; this is {loaded.scale}\n")
    table([[label, str(count)] for label, count in plan.counts.items()], ["method", "cells"])
    if listed:
        show()
        for cell in plan.cells:
            show(f"{cell.id}  {cell.title}" + (f"  SKIPPED: {cell.skip}" if cell.skip else ""))
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
    from spcabench.wording import Fault, InputError

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
        faults += [Fault(fault, suite) for fault in _failed_draws(default.plan)]
        for text in dict.fromkeys(text for loaded in scales for text in cautions(loaded)):
            warn(f"{suite}: {text}")
    if faults:
        raise InputError(faults)


def _failed_draws(plan: Plan) -> Iterator[str]:
    """Draw each data set once that says it is cheap, and yield what is wrong with those that fail."""
    from spcabench.run.dataset_store import trial_draw

    cheap = {one.variant.spec.name: one for one in reversed(plan.draws) if one.variant.spec.cheap}
    for one in cheap.values():
        if reason := trial_draw(one.variant, one.seed).reason:
            yield f"a trial draw of {one.variant.label}, seed {one.seed}, failed: {reason}"
