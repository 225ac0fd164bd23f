"""What is on record of each cell of a run, and what the cell needs next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spcabench.run.cell_records import wants_time
from spcabench.run.options import Options
from spcabench.run.tally import Need, Steps, Tally, steps
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.suite.models import Repeats
from spcabench.suite.plan import Cell


class Ledger:
    """The records of a run.

    Parameters
    ----------
    folder : RunFolder
        Where records are.
    keys : mapping of str to str
        The key of each chosen cell, by the cell's id.
    options : Options
        Which records are made again.
    rule : Repeats
        When a cell has been fitted often enough.
    stamps : mapping of str to str
        The version and parameters of each metric.
    tally : Tally
        Counts what is done.
    traced : bool
        Whether every finished fit is to have a trace of its convergence.
    """

    def __init__(
        self,
        folder: RunFolder,
        keys: Mapping[str, str],
        options: Options,
        rule: Repeats,
        stamps: Mapping[str, str],
        tally: Tally,
        traced: bool = False,
    ) -> None:
        self._folder = folder
        self._keys = keys
        self._options = options
        self._rule = rule
        self._stamps = stamps
        self._traced = traced
        self._records = {key: folder.kept(key) for key in keys.values()}
        self._again = {key for key, record in self._records.items() if record is not None and self._outdated(record)}
        self._tally = tally

    def key(self, cell: Cell) -> str:
        """Return the key of a cell."""
        return self._keys[cell.id]

    def __getitem__(self, cell: Cell) -> Record | None:
        """Return the record of a cell."""
        return self._records[self.key(cell)]

    def need(self, cell: Cell) -> Need:
        """Return what a cell needs next."""
        key = self.key(cell)
        record = self._records[key]
        if self._options.rescore:
            return "score" if key in self._again else "nothing"
        if record is None or key in self._again:
            return "fit"
        if not record.finished:
            return "nothing"
        if record.scored != self._stamps:
            return "score"
        return "time" if wants_time(record, self._rule) else "nothing"

    def need_before(self, cell: Cell, repeat: int) -> Need:
        """Return what a cell needs before it has `repeat` + 1 times on its record."""
        need, record = self.need(cell), self[cell]
        return "nothing" if need == "time" and record and len(record.timing.fit_time) > repeat else need

    def keep(self, cell: Cell, record: Record) -> None:
        """Keep the record of a cell that was done."""
        self._folder.save(record)
        self._records[record.key] = record
        self._again.discard(record.key)
        self.count(cell)

    def count(self, cell: Cell) -> None:
        """Count what a cell is known to need."""
        need, record = self.need(cell), self[cell]
        times: Sequence[float] = record.timing.fit_time if record and record.finished else ()
        only_scores = Steps(int(need == "score"), 1)
        known = only_scores if self._options.rescore else steps(need, times, self._rule)
        self._tally.update(self.key(cell), known)

    def _outdated(self, record: Record) -> bool:
        """Return whether a record is made again even if it is complete."""
        if self._options.rescore:
            return record.finished
        if self._traced and record.finished and record.fit.trace is None:
            return True
        lacking = record.status == "unavailable" and record.fit.worker  # the Dask worker's fault
        return bool(lacking) or record.status in {*self._options.retry, "interrupted"}
