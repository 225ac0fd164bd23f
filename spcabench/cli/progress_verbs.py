"""The verbs that look at a run before and while it goes: plan and status."""

from __future__ import annotations

import json
import shlex
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import choice_options, complete_suite, registry_of, run_argument, scale_option, setting_option
from spcabench.cli.terminal import show, table, warn
from spcabench.report.find_run import existing_run
from spcabench.wording import InputError, in_a_line, roughly

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.run.state import Snapshot
    from spcabench.store.folder import RunFolder
    from spcabench.store.record import RecordSummary
    from spcabench.suite.load import Loaded
    from spcabench.suite.models import Suite
    from spcabench.suite.plan import Cell, Plan

MOST_SHOWN = 10
"""How many tasks under way are listed at most."""


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
def plan_verb(
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


@click.command(
    "status", epilog="Examples: spcabench status mnist_outlier; spcabench status mnist_outlier --clean --yes"
)
@run_argument
@click.option("--clean", is_flag=True, help="List what no longer belongs to RUN: stale records, unplanned cells.")
@click.option("--yes", is_flag=True, help="With --clean: remove what is listed.")
@click.pass_context
def status_verb(ctx: click.Context, run: str, clean: bool, yes: bool) -> None:
    """Show the progress of RUN (a run's folder, or its suite's name), and the cells that did not finish.

    If it runs in another terminal, show who runs it, what is under way and the time left.  If it was killed, show how
    to resume it.
    """
    from spcabench.run.state import last_snapshot

    if yes and not clean:
        raise click.UsageError("--yes goes with --clean")
    loaded, folder = existing_run(run, registry_of(ctx))
    if clean:
        _clean(folder, loaded.plan.cells, yes)
        return
    found = list(folder.summaries_of(loaded.plan))
    holder, state = folder.holder(), last_snapshot(folder)
    show(f"{folder.path}: " + (f"running ({holder})" if holder else "nobody runs it"))
    if form := folder.about().form:
        show(form)
    lines = _running(state) if holder else _resting(folder, state, found, loaded.suite)
    for line in lines:
        show(line)
    statuses = [record.status if record else "pending" for _, record in found]
    table([[status, str(count)] for status, count in Counter(statuses).items()], ["status", "cells"])
    for cell, record in found:
        if record is not None and not record.finished:
            show(f"{record.status}: {cell.title}: {in_a_line(record.reason)} ({folder.file}, record {record.key})")


def _clean(folder: RunFolder, cells: Sequence[Cell], yes: bool) -> None:
    """List or remove the stale records of a run and those of cells that it no longer plans."""
    with folder.held():
        index = folder.index
        records = set(folder.summaries()) - {index.get(cell.id) for cell in cells}
        if yes:
            folder.forget(records)
    for key in sorted(records):
        show(f"record {key}")
    show(f"{folder.path}: {len(records)} records " + ("removed" if yes else "to remove; --yes removes them"))


def _running(state: Snapshot | None) -> Iterator[str]:
    """Describe a run that is under way."""
    if state is not None:
        now = time.time()
        left = "" if state.left is None else f", {roughly(max(0.0, state.left - (now - state.time)))} left"
        yield f"{state.progress}{left}"
        yield from _under_way(state, now)


def _resting(
    folder: RunFolder, state: Snapshot | None, found: Sequence[tuple[Cell, RecordSummary | None]], suite: Suite
) -> Iterator[str]:
    """Describe how a run ended that is no longer under way, and how to resume it."""
    from spcabench.run.state import is_done, wants_time

    done = [record for _, record in found if record is not None and is_done(record)]
    untimed = sum(wants_time(record, suite.clock) for record in done)
    if state is not None:
        yield f"it was killed; last heard of at {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(state.time))}"
        yield from _under_way(state, state.time)
    yield f"{len(done)} of {len(found)} cells done" + (f", {untimed} of them to be timed again" if untimed else "")
    if untimed or len(done) < len(found):
        yield f"to go on: {_command(folder, suite)}"


def _under_way(state: Snapshot, now: float) -> Iterator[str]:
    for title, since in state.under_way[:MOST_SHOWN]:
        yield f"under way for {max(0.0, now - since):.0f} s: {title}"
    if len(state.under_way) > MOST_SHOWN:
        yield f"and {len(state.under_way) - MOST_SHOWN} more"


def _command(folder: RunFolder, suite: Suite) -> str:
    """Return the command that fits everything missing: that of the run, or else that of its suite as run."""
    command, is_default = folder.about().command, folder.path == Path("reports") / suite.name
    chose = any(option in command for option in (" --only", " --skip"))
    if command and not chose and (is_default or str(folder.path) in command.split()):
        return command
    return f"spcabench run {shlex.quote(str(folder.suite_file))} -o {shlex.quote(str(folder.path))}"
