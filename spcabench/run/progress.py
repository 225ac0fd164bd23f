"""Show a run's events: a progress bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from spcabench.printable import printable
from spcabench.run.events import Event, Listener


@contextmanager
def listener() -> Iterator[Listener]:
    """Return what shows a run's events."""
    if sys.stderr.isatty():
        with _bar() as tell:
            yield tell
    else:
        yield _print_line


def _print_line(event: Event) -> None:
    more = "+" if event.growing else ""
    left = f", {event.left}" if event.left else ""
    prefix = f"[{event.done}/{event.total}{more}{left}] " if event.record is not None else ""
    print(prefix + _marked(event), file=sys.stderr, flush=True)


@contextmanager
def _bar() -> Iterator[Listener]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("elapsed"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("fits", total=None)

        def tell(event: Event) -> None:
            what = "fits known so far" if event.growing else "fits"
            progress.update(task, completed=event.done, total=event.total or None, description=what)
            style = "bold yellow" if event.loud else "red" if _failed(event) else "dim"
            console.print(f"[{style}]{escape(_marked(event))}[/]", highlight=False)

        yield tell


def _marked(event: Event) -> str:
    text = printable(event.text)
    return f"!!! {text}" if event.loud else text


def _failed(event: Event) -> bool:
    from spcabench.store.status import FAILED

    return event.record is not None and event.record.status in FAILED
