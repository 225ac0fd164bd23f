"""The state of a run: what is on record of each cell, what it needs next, what is under way, and the time left."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.run.options import Options
from spcabench.run.progress import Event, Listener
from spcabench.store.about import Kept
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record, RecordSummary, summary_of
from spcabench.suite.models import Repeats, Suite
from spcabench.suite.plan import Cell
from spcabench.wording import digest

EVERY = 1.0
"""Seconds from one snapshot to the next."""

Need = Literal["nothing", "fit", "score", "time"]
"""What a cell needs next."""


def steps(need: Need, had: int, at_least: int) -> int:
    """Return how many fits and computations of metrics are ahead of a cell, as far as is known.

    Parameters
    ----------
    need : Need
        What it needs next.
    had, at_least : int
        How often it was timed, and how often it is to be.
    """
    if need == "nothing":
        return 0
    return max(at_least - had, int(need != "score")) + (need == "score")


def wants_time(summary: RecordSummary, rule: Repeats) -> bool:
    """Return whether a finished fit is to be timed once more."""
    if not summary.finished or summary.repeat_failed or summary.repeats >= rule.at_most:
        return False
    return rule.wants_more(summary.fit_time)


def is_done(summary: RecordSummary | None) -> bool:
    """Return whether a cell with the summary of its record needs nothing more but perhaps to be timed again."""
    return summary is not None and summary.status != "interrupted"


@dataclass(frozen=True)
class Snapshot(Kept):
    """What a run says of itself to who looks from another terminal.

    Parameters
    ----------
    time : float
        When, in seconds since 1970.
    progress : str
        How much is done, in words.
    under_way : list of [str, float]
        What is being done, and since when.
    left : float, optional
        Wall seconds that the run still takes if it goes on as it did; None if that is not known.
    """

    time: float
    progress: str
    under_way: list[tuple[str, float]]
    left: float | None


def last_snapshot(folder: RunFolder) -> Snapshot | None:
    """Return what the run in a folder last said; None if it ended as it should, or never began."""
    try:
        return Snapshot.loads(folder.state() or "")
    except ValueError:
        return None


class RunState:
    """What a run knows of its cells; it tells the listener, and keeps what it knows in the run's folder.

    Parameters
    ----------
    suite : Suite
        What is run.
    cells : sequence of Cell
        The chosen cells.
    stamps : mapping of str to str
        The version and parameters of each metric.
    folder : RunFolder
        Where records are.
    options : Options
        Which records are made again.
    tell : Listener
        Hears what happens.
    """

    def __init__(
        self,
        suite: Suite,
        cells: Sequence[Cell],
        stamps: Mapping[str, str],
        folder: RunFolder,
        options: Options,
        tell: Listener,
    ) -> None:
        self._rule, self._traced, self._scored = suite.clock, suite.convergence, digest(stamps)
        self._at_least = 0 if options.rescore else suite.clock.at_least
        self._cells, self._folder, self._options, self._tell = cells, folder, options, tell
        self._index = folder.index
        self._summaries = folder.summaries()
        self._keys: dict[str, str] = {}
        self._again: set[str] = set()
        self._given_up: set[str] = set()
        self._steps: dict[str, int] = {}
        self._done = self._ahead = 0
        self._under_way: dict[str, tuple[str, float]] = {}
        self._next_beat = 0.0
        self._began = 0.0

    @property
    def records(self) -> int:
        """How many records the folder has."""
        return len(self._summaries)

    def learn(self, keys: Mapping[str, str]) -> None:
        """Take the keys of cells, by the cells' ids, and see what is on record of them."""
        self._keys |= keys
        new = {cell_id: key for cell_id, key in keys.items() if self._index.get(cell_id) != key}
        if self._options.rescore:  # what other code has fitted stays, with the scores that it has
            new = {cell_id: key for cell_id, key in new.items() if key in self._summaries}
        if new:
            self._folder.keep_index(new)
            self._index |= new
        for key in keys.values():
            summary = self._summaries.get(key)
            if summary is not None and self._outdated(summary):
                self._again.add(key)

    def _outdated(self, summary: RecordSummary) -> bool:
        """Return whether a record is made again even if it is complete."""
        if self._options.rescore:
            return summary.finished
        if self._traced and summary.finished and not summary.traced:
            return True
        lacking = summary.status == "unavailable" and summary.by_worker  # the Dask worker's fault
        return lacking or summary.status == "interrupted" or summary.status in self._options.retry

    def key(self, cell: Cell) -> str:
        """Return the key of a cell whose data is known."""
        return self._keys[cell.id]

    def earlier(self, cell: Cell) -> RecordSummary | None:
        """Return the summary of the record that a cell had in an earlier run, whatever its data are now."""
        return self._summaries.get(self._index.get(cell.id, ""))

    def need(self, cell: Cell, before: int | None = None) -> Need:
        """Return what a cell needs next; of one whose data is not known yet, what it needs if there is no record.

        Parameters
        ----------
        cell : Cell
            The cell.
        before : int, optional
            Only what it needs before it has so many times, and one more, on its record.
        """
        key = self._keys.get(cell.id, "")
        summary = self._summaries.get(key)
        if self._options.rescore:
            return "score" if not key or key in self._again else "nothing"
        if summary is None or key in self._again:
            return "fit"
        if summary.finished and summary.scored != self._scored and key not in self._given_up:
            return "score"
        if before is not None and summary.repeats > before:
            return "nothing"
        return "time" if wants_time(summary, self._rule) else "nothing"

    def keep(self, cell: Cell, record: Record, arrays: Mapping[str, NDArray[np.float64]] | None, text: str) -> None:
        """Keep the record of a cell that was done, and report it."""
        self._folder.save(record, arrays)
        self._summaries[record.key] = summary = summary_of(record)
        self._again.discard(record.key)
        if summary.finished and summary.scored != self._scored:  # it could not be scored, in this run
            self._given_up.add(record.key)
        self._done += 1
        self.count(cell)
        self.say(text, record=record)

    def count(self, cell: Cell) -> Need:
        """Count what a cell is known to need, and return what it needs next; cells that share a record count once."""
        key, need = self._keys.get(cell.id, ""), self.need(cell)
        had = self._summaries[key].repeats if need in ("score", "time") and key in self._summaries else 0
        self._ahead -= self._steps.pop(cell.id, 0) + self._steps.pop(key, 0)  # by its id before its key was known
        self._steps[key or cell.id] = ahead = steps(need, had, self._at_least)
        self._ahead += ahead
        return need

    def begin(self, name: str, title: str, at_once: bool = False) -> None:
        """Note that a task begins; who looks from elsewhere sees one that may take long `at_once`."""
        if at_once:
            self._next_beat = 0.0
        self._under_way[name] = (title, time.time())
        self._began = self._began or time.monotonic()
        self.beat()

    def end(self, name: str) -> None:
        """Note that a task ended."""
        del self._under_way[name]

    def say(self, text: str, loud: bool = False, record: Record | None = None) -> None:
        """Report an event, with how much is done."""
        self._tell(Event(text, self._done, self._done + self._ahead, record, loud))

    def beat(self) -> None:
        """Once a second, say what is under way to who looks from elsewhere, and see that the store is unchanged."""
        if time.monotonic() >= self._next_beat:
            self._next_beat = time.monotonic() + EVERY
            self._folder.keep_state(self._snapshot().dumps())
            self._folder.see_unchanged()

    def _snapshot(self) -> Snapshot:
        total, what = self._done + self._ahead, "metrics" if self._options.rescore else "fits"
        planned = f"{len(self._cells)} cells are planned; their data sets are drawn first"
        passed = time.monotonic() - self._began
        return Snapshot(
            time=time.time(),
            progress=f"{self._done} of {total} {what} done" if total else planned,
            under_way=list(self._under_way.values()),
            left=passed * self._ahead / self._done if self._done else None,
        )
