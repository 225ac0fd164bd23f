"""The state of a run: what is on record of each cell, what it needs next, what is under way, and the time left."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spcabench.run.forecast import Need, rough_duration, seconds_left, steps, wants_time
from spcabench.run.messages import Result
from spcabench.run.options import Options
from spcabench.run.progress import Event, Listener
from spcabench.store.about import Kept
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.store.record_summary import RecordSummary, summary_of
from spcabench.suite.hashed import digest
from spcabench.suite.models import Suite
from spcabench.suite.plan import Cell

EVERY = 1.0
"""Seconds from one snapshot to the next."""
SHARE = 0.05
"""The share of a run's time that estimating the time left may take."""
LEAST = 60.0
"""Seconds left below which nobody needs to know."""


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
        Wall seconds that the run still takes; None if that is not known.
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
    jobs : int
        Tasks that may be under way at once.
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
        jobs: int,
        tell: Listener,
    ) -> None:
        self._rule, self._traced, self._scored = suite.clock, suite.tracing is not None, digest(stamps)
        self._cells, self._folder, self._options, self._jobs, self._tell = cells, folder, options, jobs, tell
        self._index = folder.index
        self._summaries = folder.summaries()
        self._keys: dict[str, str] = {}
        self._again: set[str] = set()
        self._steps: dict[str, tuple[int, int]] = {}
        self._ahead = self._total = 0
        self._under_way: dict[str, tuple[str, float]] = {}
        self._beyond, self._ended = 0.0, 0
        self._next_beat = self._next_estimate = 0.0
        self._end: float | None = None

    @property
    def records(self) -> int:
        """How many records the folder has."""
        return len(self._summaries)

    def learn(self, keys: Mapping[str, str]) -> None:
        """Take the keys of cells, by the cells' ids, and see what is on record of them."""
        self._keys |= keys
        new = {cell_id: key for cell_id, key in keys.items() if self._index.get(cell_id) != key}
        if new:
            self._folder.keep_index(new)
            self._index |= new
        for key in keys.values():
            summary = self._of(key)
            if summary is not None and self._outdated(summary):
                self._again.add(key)

    def _outdated(self, summary: RecordSummary) -> bool:
        """Return whether a record is made again even if it is complete."""
        if self._options.rescore:
            return summary.finished
        if self._traced and summary.finished and not summary.traced:
            return True
        if summary.untimed:  # as others submitted it
            return True
        lacking = summary.status == "unavailable" and summary.by_worker  # the Dask worker's fault
        return lacking or summary.status == "interrupted" or summary.status in self._options.retry

    def key(self, cell: Cell) -> str:
        """Return the key of a cell whose data is known."""
        return self._keys[cell.id]

    def summary(self, cell: Cell) -> RecordSummary | None:
        """Return the summary of the record of a cell; None if it has none, or it is not known yet which."""
        return self._of(self._keys.get(cell.id, ""))

    def _of(self, key: str) -> RecordSummary | None:
        summary = self._summaries.get(key)
        if type(summary) is tuple:  # as it was read; few may be asked for
            summary = self._summaries[key] = RecordSummary._make(summary)
        return summary  # type: ignore[return-value]

    def need(self, cell: Cell, before: int | None = None) -> Need:
        """Return what a cell needs next; of one whose data is not known yet, what it needs if there is no record.

        Parameters
        ----------
        cell : Cell
            The cell.
        before : int, optional
            Only what it needs before it has so many times, and one more, on its record.
        """
        return self._need(self._keys.get(cell.id), self.summary(cell), before)

    def _need(self, key: str | None, summary: RecordSummary | None, before: int | None = None) -> Need:
        if self._options.rescore:
            return "score" if key is None or key in self._again else "nothing"
        if summary is None or key in self._again:
            return "fit"
        if not summary.finished:
            return "nothing"
        if summary.scored != self._scored:
            return "score"
        if before is not None and len(summary.fit_time) > before:
            return "nothing"
        return "time" if wants_time(summary, self._rule) else "nothing"

    def keep(self, cell: Cell, record: Record, arrays: Mapping[str, NDArray[np.float64]] | None, text: str) -> None:
        """Keep the record of a cell that was done, and report it."""
        self._folder.save(record, arrays)
        self._summaries[record.key] = summary_of(record)
        self._again.discard(record.key)
        self.count(cell)
        self.say(text, record=record)

    def count(self, cell: Cell) -> Need:
        """Count what a cell is known to need, and return what it needs next; cells that share a record count once."""
        key, summary = self._keys.get(cell.id), self.summary(cell)
        need = self._need(key, summary)
        if key is not None:
            self._counted(cell.id, 0, 0)  # as which it counted before its key was known
        times = summary.fit_time if summary and summary.finished else ()
        only_score = int(need == "score"), 1
        self._counted(key or cell.id, *(only_score if self._options.rescore else steps(need, times, self._rule)))
        return need

    def _counted(self, name: str, ahead: int, total: int) -> None:
        before_ahead, before_total = self._steps.pop(name, (0, 0))
        self._ahead += ahead - before_ahead
        self._total += total - before_total
        if total:
            self._steps[name] = ahead, total

    @property
    def _growing(self) -> bool:
        """Whether times may show that more steps are needed."""
        return self._ahead > 0 and self._rule.at_least < self._rule.at_most and not self._options.rescore

    def begin(self, name: str, title: str) -> None:
        """Note that a task begins."""
        self._under_way[name] = (title, time.time())
        self.beat()

    def end(self, name: str, result: Result | None = None) -> None:
        """Note that a task ended; with its result, if it had one."""
        _, since = self._under_way.pop(name)
        if result is not None and result.timing.fit_time:
            fitted = sum(result.timing.fit_time) + sum(result.timing.search_time)
            self._beyond += max(0.0, time.time() - since - fitted)
            self._ended += 1

    def say(self, text: str, loud: bool = False, record: Record | None = None) -> None:
        """Report an event, with how much is done."""
        left = self._left() if record is not None else ""
        self._tell(Event(text, self._total - self._ahead, self._total, self._growing, record, loud, left))

    def say_drawing(self, text: str, loud: bool) -> None:
        """Report what is drawn, also to who looks from elsewhere, since it may take long."""
        self._next_beat = 0.0
        self.begin("draw", text)
        self.end("draw")
        self.say(text, loud)

    def beat(self) -> None:
        """Once a second, say what is under way to who looks from elsewhere, and see that the store is unchanged."""
        if time.monotonic() >= self._next_beat:
            self._next_beat = time.monotonic() + EVERY
            self._folder.keep_state(self._snapshot().dumps())
            self._folder.see_unchanged()

    def _snapshot(self) -> Snapshot:
        done, of = f"{self._total - self._ahead} of {self._total}", "metrics" if self._options.rescore else "fits"
        more = " (more may be needed, as the times turn out)" if self._growing else ""
        planned = f"{len(self._cells)} cells are planned; their data sets are drawn first"
        return Snapshot(
            time=time.time(),
            progress=f"{done} {of} done{more}" if self._total else planned,
            under_way=list(self._under_way.values()),
            left=self._seconds_left() if self._total else None,
        )

    def _left(self) -> str:
        """Return the time left in words; empty if it is not known, or short."""
        left = self._seconds_left()
        return rough_duration(left) if left is not None and left >= LEAST else ""

    def _seconds_left(self) -> float | None:
        """Return the wall seconds left, estimated anew if that was not done just now; None if they are not known."""
        now = time.monotonic()
        if now >= self._next_estimate and not self._options.rescore:
            found = ((cell, self.summary(cell)) for cell in self._cells)
            seconds = seconds_left(found, self._rule, self._jobs, self._beyond / max(1, self._ended))
            took = time.monotonic() - now
            self._end = None if seconds is None else now + seconds
            self._next_estimate = now + took + took / SHARE
        return None if self._end is None else max(0.0, self._end - now)
