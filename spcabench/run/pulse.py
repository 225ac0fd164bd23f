"""What the host does once a second: have the disk keep what was written, and say elsewhere what is under way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from spcabench.store.folder import RunFolder
from spcabench.store.typed_json import TypedJson

EVERY = 1.0
"""Seconds from one beat to the next: what a power cut, which no process survives, can cost."""


@dataclass(frozen=True)
class State:
    """What a run says of itself to who looks from another terminal.

    Parameters
    ----------
    time : float
        When, in seconds since 1970.
    jobs : int
        Tasks that may be under way at once.
    done, total : int
        Steps done, and of how many.
    growing : bool
        Whether the total may grow.
    under_way : list of [str, float]
        What is being done, and since when.
    beyond : float
        Mean wall seconds of a fit's task beyond the fit and its search.
    only, skip : list of str
        The patterns by which its cells were chosen.
    rescoring : bool
        Whether it computes metrics alone.
    """

    time: float
    jobs: int
    done: int
    total: int
    growing: bool
    under_way: list[tuple[str, float]]
    beyond: float
    only: list[str]
    skip: list[str]
    rescoring: bool


STATES: TypedJson[State] = TypedJson(State)

_FILE = ".work/now.json"


class Pulse:
    """The beat of a run.

    Parameters
    ----------
    folder : RunFolder
        Of the run.
    state : callable
        Returns what to say.
    """

    def __init__(self, folder: RunFolder, state: Callable[[], State]) -> None:
        self._folder = folder
        self._state = state
        self._last = 0.0

    def beat(self) -> None:
        """Beat, if it is time."""
        if time.monotonic() - self._last >= EVERY:
            self.beat_now()

    def beat_now(self) -> None:
        """Beat."""
        self._last = time.monotonic()
        self._folder.write_bytes(_FILE, STATES.dumps(self._state()))
        self._folder.settle()


def last_state(folder: RunFolder) -> State | None:
    """Return what the run in a folder last said; None if it ended as it should, or never began."""
    try:
        return STATES.loads(folder.text(_FILE).encode())
    except ValueError:
        return None
