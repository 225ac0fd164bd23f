"""The state of a run: what is on record of each cell, and what it needs next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.run.options import Options
from spcabench.run.progress import Event, Listener
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.store.record_summary import RecordSummary, summary_of
from spcabench.suite.hashed import digest
from spcabench.suite.models import Repeats, Suite
from spcabench.suite.plan import Cell
from spcabench.suite.repeats import wants_more

Need = Literal["nothing", "fit", "score", "time"]
"""What a cell needs next."""


def wants_time(summary: RecordSummary, rule: Repeats) -> bool:
    """Return whether a finished fit is to be timed once more."""
    if not summary.finished or summary.repeat_failed or summary.repeats >= rule.at_most:
        return False
    return wants_more(rule, summary.fit_time)


def is_done(summary: RecordSummary | None) -> bool:
    """Return whether a cell with the summary of its record needs nothing more but perhaps to be timed again."""
    return summary is not None and summary.status != "interrupted"


class RunState:
    """What a run knows of its cells; it tells the listener, and keeps records in the run's folder.

    Parameters
    ----------
    suite : Suite
        What is run.
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
        stamps: Mapping[str, str],
        folder: RunFolder,
        options: Options,
        tell: Listener,
    ) -> None:
        self._rule, self._traced, self._scored = suite.clock, suite.convergence, digest(stamps)
        self._folder, self._options, self._tell = folder, options, tell
        self._index = folder.index
        self._summaries = folder.summaries()
        self._keys: dict[str, str] = {}
        self._again: set[str] = set()
        self._done = self._total = 0

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

    def summary(self, cell: Cell) -> RecordSummary | None:
        """Return the summary of the record of a cell; None if it has none, or it is not known yet which."""
        return self._summaries.get(self._keys.get(cell.id, ""))

    def need(self, cell: Cell, before: int | None = None) -> Need:
        """Return what a cell needs next; of one whose data is not known yet, what it needs if there is no record.

        Parameters
        ----------
        cell : Cell
            The cell.
        before : int, optional
            Only what it needs before it has so many times, and one more, on its record.
        """
        key, summary = self._keys.get(cell.id), self.summary(cell)
        if self._options.rescore:
            return "score" if key is None or key in self._again else "nothing"
        if summary is None or key in self._again:
            return "fit"
        if summary.finished and summary.scored != self._scored:
            return "score"
        if before is not None and summary.repeats > before:
            return "nothing"
        return "time" if wants_time(summary, self._rule) else "nothing"

    def keep(self, cell: Cell, record: Record, arrays: Mapping[str, NDArray[np.float64]] | None, text: str) -> None:
        """Keep the record of a cell that was done, and report it."""
        self._folder.save(record, arrays)
        self._summaries[record.key] = summary_of(record)
        self._again.discard(record.key)
        self.step()
        self.say(text, record=record)

    def begin(self, total: int) -> None:
        """Note that a pass over so many cells begins."""
        self._done, self._total = 0, total

    def step(self) -> None:
        """Note that one more of them is done."""
        self._done += 1

    def say(self, text: str, loud: bool = False, record: Record | None = None) -> None:
        """Report an event, with how much is done."""
        self._tell(Event(text, self._done, self._total, record, loud))
