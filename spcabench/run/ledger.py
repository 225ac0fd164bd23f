"""What is on record of each cell of a run, and what the cell needs next."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench.run.cell_records import wants_time
from spcabench.run.kept_keys import KeptKeys
from spcabench.run.options import Options
from spcabench.run.tally import Need, Steps, Tally, steps
from spcabench.store.folder import RunFolder
from spcabench.store.gist import Gist, gist_of
from spcabench.store.record import Record
from spcabench.suite.hashed import digest
from spcabench.suite.models import Repeats
from spcabench.suite.plan import Cell


class Ledger:
    """The gist of each record of a run; the records are read when they are changed.

    Parameters
    ----------
    folder : RunFolder
        Where records are.
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
        options: Options,
        rule: Repeats,
        stamps: Mapping[str, str],
        tally: Tally,
        traced: bool = False,
    ) -> None:
        self._folder = folder
        self._keys = KeptKeys(folder)
        self._options = options
        self._rule = rule
        self._scored = digest(stamps)
        self._traced = traced
        self._gists: dict[str, Gist] = {}
        self._again: set[str] = set()
        self._tally = tally

    def learn(self, keys: Mapping[str, str]) -> None:
        """Take the keys of cells, by the cells' ids, and see what is on record of them."""
        self._keys.learn(keys)
        new = [key for key in dict.fromkeys(keys.values()) if key not in self._gists]
        for key, gist in zip(new, self._folder.gists(new), strict=True):
            if gist is not None:
                self._gists[key] = gist
                if self._outdated(gist):
                    self._again.add(key)

    def keep_index(self, at_once: bool = False) -> None:
        """Keep what is known of cells and records, so that it is found without computing and reading it again."""
        self._keys.keep(at_once)
        if at_once:
            self._folder.keep_seen()

    def key(self, cell: Cell) -> str:
        """Return the key of a cell whose data is known."""
        key = self._keys.get(cell.id)
        assert key is not None
        return key

    def gist(self, cell: Cell) -> Gist | None:
        """Return the gist of the record of a cell; None if there is no record, or it is not known yet which."""
        return self._gists.get(self._keys.get(cell.id) or "")

    def record(self, cell: Cell) -> Record | None:
        """Return the record of a cell, from its file."""
        return None if self.gist(cell) is None else self._folder.record(self.key(cell))

    def need(self, cell: Cell) -> Need:
        """Return what a cell needs next; of one whose data is not known yet, what it needs if there is no record."""
        key = self._keys.get(cell.id)
        return self._need(key, self._gists.get(key or ""))

    def _need(self, key: str | None, gist: Gist | None) -> Need:
        if self._options.rescore:
            return "score" if key is None or key in self._again else "nothing"
        if gist is None or key in self._again:
            return "fit"
        if not gist.finished:
            return "nothing"
        if gist.scored != self._scored:
            return "score"
        return "time" if wants_time(gist, self._rule) else "nothing"

    def need_before(self, cell: Cell, repeat: int) -> Need:
        """Return what a cell needs before it has `repeat` + 1 times on its record."""
        need, gist = self.need(cell), self.gist(cell)
        return "nothing" if need == "time" and gist and len(gist.fit_time) > repeat else need

    def keep(self, cell: Cell, record: Record) -> None:
        """Keep the record of a cell that was done."""
        self._folder.save(record)
        self._gists[record.key] = gist_of(record)
        self._again.discard(record.key)
        self.count(cell)

    def count(self, cell: Cell) -> None:
        """Count what a cell is known to need; cells that share a record count once."""
        key = self._keys.get(cell.id)
        gist = self._gists.get(key or "")
        need = self._need(key, gist)
        times = gist.fit_time if gist and gist.finished else ()
        only_scores = Steps(int(need == "score"), 1)
        known = only_scores if self._options.rescore else steps(need, times, self._rule)
        if key is not None:
            self._tally.forget(cell.id)
        self._tally.update(key or cell.id, known)

    def _outdated(self, gist: Gist) -> bool:
        """Return whether a record is made again even if it is complete."""
        if self._options.rescore:
            return gist.finished
        if self._traced and gist.finished and not gist.traced:
            return True
        lacking = gist.status == "unavailable" and gist.worker  # the Dask worker's fault
        return lacking or gist.status in {*self._options.retry, "interrupted"}
