"""What a run says while it goes, and how that is shown: a progress bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
        Fits done, and of how many are known to be needed; each cell has one a repeat.
    growing : bool
        Whether the total may grow, as times turn out to need more repeats.
    record : Record, optional
        The record that was just kept.
    loud : bool
        Whether nobody may overlook it.
    left : str
        The time left in words; empty if it is not known, or short.
    """

    text: str
    done: int
    total: int
    growing: bool = False
    record: Record | None = None
    loud: bool = False
    left: str = ""


Listener = Callable[[Event], None]


@contextmanager
def listener() -> Iterator[Listener]:
    """Return what shows a run's events."""
    if sys.stderr.isatty():
        with _bar() as tell:
            yield tell
    else:
        yield _lines()


def _lines() -> Listener:
    is_news = _news()

    def tell(event: Event) -> None:
        more = "+" if event.growing else ""
        left = f", {event.left}" if event.left else ""
        prefix = f"[{event.done}/{event.total}{more}{left}] " if event.record is not None else ""
        if is_news(event):
            print(prefix + _marked(event), file=sys.stderr, flush=True)

    return tell


def _news() -> Callable[[Event], bool]:
    """Return what is false of a cell that is skipped for the reason of an earlier one."""
    said: set[str] = set()

    def is_news(event: Event) -> bool:
        if event.record is None or event.record.status != "skipped":
            return True
        reason = event.record.reason
        known = reason in said
        said.add(reason)
        return not known

    return is_news


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
    is_news = _news()
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
            if is_news(event):
                console.print(f"[{style}]{escape(_marked(event))}[/]", highlight=False)

        yield tell


def _marked(event: Event) -> str:
    text = printable(event.text)
    return f"!!! {text}" if event.loud else text


def _failed(event: Event) -> bool:
    return event.record is not None and event.record.status in FAILED
