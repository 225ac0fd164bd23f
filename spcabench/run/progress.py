"""What a run says while it goes, and how that is shown: a progress bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from spcabench.store.record import Record
from spcabench.store.status import FAILED
from spcabench.wording import printable


@dataclass(frozen=True)
class Event:
    """Something happened.

    Parameters
    ----------
    text : str
        What, in a line.
    done, total : int
        Fits that this run has done, and of how many that are known to be needed; a cell may have several, and one that
        fails has no more.
    record : Record, optional
        The record that was just kept.
    loud : bool
        Whether nobody may overlook it.
    """

    text: str
    done: int
    total: int
    record: Record | None = None
    loud: bool = False


Listener = Callable[[Event], None]


@contextmanager
def listener() -> Iterator[Listener]:
    """Return what shows a run's events; that cells are skipped for the reason of an earlier one is not said again."""
    said: set[str] = set()
    with _bar() if sys.stderr.isatty() else nullcontext(_line) as show:

        def tell(event: Event) -> None:
            reason = event.record.reason if event.record is not None and event.record.status == "skipped" else ""
            show(event, not reason or reason not in said)
            said.add(reason)

        yield tell


def _line(event: Event, is_news: bool) -> None:
    prefix = f"[{event.done}/{event.total}] " if event.record is not None else ""
    if is_news:
        print(prefix + _marked(event), file=sys.stderr, flush=True)


@contextmanager
def _bar() -> Iterator[Callable[[Event, bool], None]]:
    from rich import progress as rich
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    times = ("elapsed", rich.TimeElapsedColumn(), "left", rich.TimeRemainingColumn())
    columns = ("[bold]{task.description}", rich.BarColumn(), rich.MofNCompleteColumn(), *times)
    with rich.Progress(*columns, console=console) as progress:
        task = progress.add_task("fits", total=None)

        def show(event: Event, is_news: bool) -> None:
            progress.update(task, completed=event.done, total=event.total or None)
            failed = event.record is not None and event.record.status in FAILED
            style = "bold yellow" if event.loud else "red" if failed else "dim"
            if is_news:
                console.print(f"[{style}]{escape(_marked(event))}[/]", highlight=False)

        yield show


def _marked(event: Event) -> str:
    text = printable(event.text)
    return f"!!! {text}" if event.loud else text
