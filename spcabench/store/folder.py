"""A run's folder: the file of all that the run keeps, and beside it the pages, tables and figures made from that."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.store import files
from spcabench.store.about import About, DrawRecord
from spcabench.store.database import Damaged, Database, packed, unpacked
from spcabench.store.record import Record, RecordSummary, summary_of
from spcabench.suite.plan import Cell, Plan
from spcabench.wording import Fault, InputError, StoreChanged, encoded

Arrays = Mapping[str, NDArray[Any]]

_BY_KEY = ("cells", "records", "loadings")


class RunFolder:
    """The folder of a run.

    Parameters
    ----------
    path : Path
        Nothing is opened before it is needed; `make`, or anything that is kept, makes the folder.

    Notes
    -----
    ``run.sqlite`` holds all that is read again (`spcabench.store.schema`); what is damaged raises an `InputError` when
    it is read.  ``suite.yaml`` is a copy of the suite for people and for ``spcabench run``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(self.file)

    @property
    def file(self) -> Path:
        """All that the run keeps."""
        return self.path / "run.sqlite"

    @property
    def suite_file(self) -> Path:
        """The suite as run."""
        return self.path / "suite.yaml"

    @property
    def there(self) -> bool:
        """Whether a run is kept here; an InputError if it is one that an earlier version kept."""
        if not os.path.lexists(self.file) and (self.path / "index.json").exists():
            message = "an earlier version of spcabench wrote this folder, as many files; this one does not read them"
            raise InputError(Fault(f"{message}.  Run the suite again, into another folder", str(self.path)))
        return os.path.lexists(self.file)

    def make(self) -> None:
        """Make the folder, and see that it can be written and is of no earlier version; else raise an InputError."""
        _ = self.there
        with files.writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.path):
                pass

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder, as one host at a time can, to write its file; at the end the file is closed."""
        with files.locked(self.path / ".lock"):
            try:
                self._database.write()  # makes the file, or the rest of one that a full disk did not take
                yield
            finally:
                self.close()

    def close(self) -> None:
        """Close the file; what was written is one whole file then, which can be copied."""
        self._database.close()

    def see_unchanged(self) -> None:
        """See that what is written here is there still, and that nobody else wrote; else raise a `StoreChanged`."""
        self._database.see_unchanged()

    def see_kept(self, records: int) -> None:
        """Close the file, and see that it is whole and has so many records; else raise a `StoreChanged`."""
        self.see_unchanged()
        self.close()
        try:
            kept = sum(count for (count,) in self._database.rows("SELECT count(*) FROM records"))
        except Damaged as error:
            raise StoreChanged(str(error)) from error
        if kept < records:
            raise StoreChanged(f"{self.file}: it has {kept} records, where {records} were kept; run the suite again")

    def holder(self) -> str:
        """Return which run holds the folder; empty if none does."""
        return files.holder(self.path / ".lock")

    def keep_suite(self, text: str) -> None:
        """Keep the suite as run."""
        self._keep_of_run("suite", text)
        self.write_text(self.suite_file.name, text)

    def suite_text(self) -> str | None:
        """Return the suite as run, or None."""
        return self._of_run("suite")

    def keep_about(self, about: About) -> None:
        """Keep what the run says of itself."""
        self._keep_of_run("about", about.dumps())

    def about(self) -> About:
        """Return what the run says of itself; nothing if that is not known."""
        text = self._of_run("about")
        with self._sound("what it says of the run"):
            return About() if text is None else About.loads(text)

    def keep_state(self, text: str | None) -> None:
        """Keep what a run says to who looks from another terminal; None once it has ended as it should."""
        self._keep_of_run("state", text)

    def state(self) -> str | None:
        """Return what the run last said; None if it has ended as it should, or never began."""
        return self._of_run("state")

    def _keep_of_run(self, name: str, value: str | None) -> None:
        if value is None:
            self._database.write(("DELETE FROM run WHERE name = ?", [(name,)]))
        else:
            self._database.write(("REPLACE INTO run VALUES (?, ?)", [(name, value)]))

    def _of_run(self, name: str) -> str | None:
        return next((value for (value,) in self._database.rows("SELECT value FROM run WHERE name = ?", name)), None)

    def keep_index(self, keys: Mapping[str, str]) -> None:
        """Keep the keys of cells, by their ids, beside those that are known."""
        self._database.write(("REPLACE INTO cells VALUES (?, ?)", keys.items()))

    @property
    def index(self) -> dict[str, str]:
        """The key of each cell that is known, by its id."""
        return dict(self._database.rows("SELECT cell, key FROM cells"))

    def save(self, record: Record, arrays: Arrays | None = None) -> None:
        """Keep a record, and the loadings of one that was just fitted; replaces what was kept under its key."""
        row = (*summary_of(record), record.dumps())
        fitted = arrays is not None or not record.finished
        self._database.write(
            (f"REPLACE INTO records VALUES ({', '.join('?' * len(row))})", [row]),
            ("DELETE FROM loadings WHERE key = ?", [(record.key,)] * fitted),
            ("INSERT INTO loadings VALUES (?, ?, ?)", packed(record.key, arrays or {})),
        )

    def record(self, key: str) -> Record | None:
        """Return the record of that key, or None."""
        for (body,) in self._database.rows("SELECT body FROM records WHERE key = ?", key):
            with self._sound(f"record {key}"):
                record = Record.loads(body)
                if record.key != key:
                    raise ValueError(f"it is that of another key, {record.key[:80]}")
                return record
        return None

    def records(self) -> Iterator[Record]:
        """Yield every record kept, also those of earlier forms of the suite."""
        for (key,) in self._database.rows("SELECT key FROM records"):
            record = self.record(key)
            if record is not None:
                yield record

    def summaries(self) -> dict[str, RecordSummary]:
        """Return the summary of every record kept, by its key."""
        columns = ", ".join(RecordSummary._fields)
        return {row[0]: RecordSummary._make(row) for row in self._database.rows(f"SELECT {columns} FROM records")}

    def records_of(self, plan: Plan) -> Iterator[tuple[Cell, Record | None]]:
        """Yield every planned cell with its record, if it has one."""
        index = self.index
        for cell in plan.cells:
            yield cell, self.record(index.get(cell.id, ""))

    def summaries_of(self, plan: Plan) -> Iterator[tuple[Cell, RecordSummary | None]]:
        """Yield every planned cell with the summary of its record, if it has one."""
        index, summaries = self.index, self.summaries()
        for cell in plan.cells:
            yield cell, summaries.get(index.get(cell.id, ""))

    def loadings(self, key: str) -> dict[str, NDArray[Any]] | None:
        """Return ``components`` (n_components, n_features) and ``mean`` (n_features,) of a record, or None."""
        return self._arrays("loadings", "key", key, "components", "mean")

    def save_draw(self, record: DrawRecord, samples: Arrays | None = None) -> None:
        """Keep what is known of a draw, and a few samples of it to look at."""
        self._database.write(
            ("REPLACE INTO draws VALUES (?, ?)", [(record.id, record.dumps())]),
            ("DELETE FROM samples WHERE id = ?", [(record.id,)]),
            ("INSERT INTO samples VALUES (?, ?, ?)", packed(record.id, samples or {})),
        )

    def draw_record(self, draw_id: str) -> DrawRecord | None:
        """Return what is known of a draw, or None."""
        for (body,) in self._database.rows("SELECT body FROM draws WHERE id = ?", draw_id):
            with self._sound(f"draw {draw_id}"):
                return DrawRecord.loads(body)
        return None

    def samples(self, draw_id: str) -> dict[str, NDArray[Any]] | None:
        """Return a few samples of a draw to look at: ``X`` as used, ``X_clean`` their originals, or None."""
        return self._arrays("samples", "id", draw_id, "X")

    def forget(self, keys: Collection[str]) -> None:
        """Remove the records and loadings of these keys."""
        rows = [(key,) for key in keys]
        self._database.write(*((f"DELETE FROM {table} WHERE key = ?", rows) for table in _BY_KEY))

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file of the folder, all or nothing."""
        return self.write_bytes(name, encoded(text))

    def write_bytes(self, name: str, content: bytes) -> Path:
        """Write a file of the folder, all or nothing."""
        return files.write_bytes(files.inside(self.path, name), content)

    def remove(self, name: str) -> None:
        """Remove a file of the folder; it is no fault if there is none."""
        with files.writing(self.path / name):
            files.inside(self.path, name).unlink(missing_ok=True)

    def _arrays(self, table: str, column: str, value: str, *finite: str) -> dict[str, NDArray[Any]] | None:
        """Return the arrays of a record or a draw; those that it must have are finite."""
        rows = self._database.rows(f"SELECT name, array FROM {table} WHERE {column} = ?", value)
        with self._sound(f"{table} of {value}"):
            arrays = {name: unpacked(content) for name, content in rows}
            for name in finite if arrays else ():
                if name not in arrays or not np.isfinite(arrays[name]).all():
                    raise ValueError(f"its array '{name}' is not there, or not finite")
        return arrays or None

    @contextlib.contextmanager
    def _sound(self, what: str) -> Iterator[None]:
        """Say of what cannot be read where it is."""
        try:
            yield
        except (ValueError, RecursionError) as error:
            raise Damaged(self.file, f"{what}: {error}") from error
