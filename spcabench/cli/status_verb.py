"""The verb status."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import registry_of, run_argument
from spcabench.cli.terminal import show, table
from spcabench.report.find_run import existing_run

if TYPE_CHECKING:
    from spcabench.run.state import Snapshot
    from spcabench.store.folder import RunFolder
    from spcabench.store.record_summary import RecordSummary
    from spcabench.suite.models import Suite
    from spcabench.suite.plan import Cell

MOST_SHOWN = 10
"""How many tasks under way are listed at most."""


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
    from spcabench.wording import in_a_line

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
            show(f"{record.status}: {cell.title}: {in_a_line(record.reason)} ({folder.place_of(record.key)})")


def _clean(folder: RunFolder, cells: Sequence[Cell], yes: bool) -> None:
    """List or remove the stale records of a run and those of cells that it no longer plans."""
    with folder.held():
        index = folder.index
        records = set(folder.summaries()) - {index.get(cell.id) for cell in cells}
        if yes:
            folder.forget(records, ())
    for key in sorted(records):
        show(f"record {key}")
    show(f"{folder.path}: {len(records)} records " + ("removed" if yes else "to remove; --yes removes them"))


def _running(state: Snapshot | None) -> Iterator[str]:
    """Describe a run that is under way."""
    from spcabench.wording import roughly

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
    chose = any(option in command for option in (" --only", " --skip", " --fresh"))
    if command and not chose and (is_default or str(folder.path) in command.split()):
        return command
    return f"spcabench run {shlex.quote(str(folder.suite_file))} -o {shlex.quote(str(folder.path))}"
