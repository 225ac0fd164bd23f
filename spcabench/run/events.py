"""What a run reports while it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spcabench.store.record import Record


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
