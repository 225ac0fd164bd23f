"""A run's folder: suite, records, loadings, draws.  It may come from a stranger, and it may be damaged.

This is the one place that reads what a run keeps.  Each file is opened from inside the folder, bounded in size, and
held against its checksum; one that is not as a run wrote it counts as none, and is noted with the reason.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from spcabench.errors import InputError
from spcabench.printable import encoded
from spcabench.store import lock
from spcabench.store.about import ABOUT, About
from spcabench.store.arrays import MOST_BYTES, finite, read_arrays
from spcabench.store.draw import DRAWS, DrawRecord
from spcabench.store.files import settle, writing
from spcabench.store.gist import Gist, gist_of
from spcabench.store.inside import KEY, Damaged, Inside
from spcabench.store.record import Record
from spcabench.store.sealed import json_object, sealed_json, sealed_yaml, unsealed_json, unsealed_yaml
from spcabench.store.seen import Seen, Stamps

T = TypeVar("T")

MOST_TEXT = 2**25
"""Bytes that a record, a draw, the suite or ``run.json`` may have."""
MOST_NAMED = 10
"""Damaged files that are named at most; the rest is counted."""
_KINDS: Mapping[str, tuple[str, ...]] = {
    "records": (".json",),
    "loadings": (".npz",),
    "draws": (".json", ".npz"),
}
"""The folders, and how the names of their files end."""


class RunFolder:
    """The folder of a run.

    Parameters
    ----------
    path : Path
        Made if it does not exist.

    Notes
    -----
    ``suite.yaml`` is the suite as run, ``index.json`` maps each planned cell to its record's key,
    ``records/KEY.json`` and ``loadings/KEY.npz`` hold the results, ``draws/ID.json`` and ``draws/ID.npz`` what
    is known of each data set draw and a few of its samples to look at.  ``seen.index`` spares reading all records to
    see that nothing is to be done (`spcabench.store.seen`); it may be removed.  ``report.md``, ``tables`` and
    ``figures`` are made from these.  Every file is written to a temporary name and renamed; no link is followed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._inside = Inside(path)
        self._seen = Seen(self._inside)
        self._unsettled = False
        self._damages: dict[str, str] = {}

    def make(self) -> None:
        """Make the folder and what is in it, and see that it can be written.

        Raises
        ------
        InputError
            If it cannot.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            for name in _KINDS:
                self._inside.make(name)
            with tempfile.NamedTemporaryFile(dir=self.path):
                pass
        except OSError as error:
            raise InputError(f"cannot write to the run's folder {self.path}: {error.strerror}") from error

    @property
    def work(self) -> Path:
        """What is of use while a run goes on; a run that ends as it should removes it."""
        return self.path / ".work"

    @property
    def suite_file(self) -> Path:
        """The suite as run."""
        return self.path / "suite.yaml"

    @property
    def damages(self) -> list[str]:
        """What was found damaged so far, a line for each file; the first few, and how many more."""
        lines = [f"{self.path / name}: {reason}" for name, reason in self._damages.items()]
        more = len(lines) - MOST_NAMED
        return [*lines[:MOST_NAMED], *([f"{more} more files in {self.path} are damaged"] if more > 0 else [])]

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file of the folder, all or nothing."""
        return self.write_bytes(name, encoded(text))

    def write_bytes(self, name: str, content: bytes) -> Path:
        """Write a binary file of the folder, all or nothing."""
        self._unsettled = True
        return self._inside.write(name, content)

    def text(self, name: str) -> str:
        """Return a text file of the folder that has no checksum, such as a figure; empty if it cannot be read."""
        try:
            return self._inside.read(name, MOST_BYTES).decode()
        except (FileNotFoundError, Damaged, UnicodeDecodeError):
            return ""

    def remove(self, name: str) -> None:
        """Remove a file of the folder; it is no fault if there is none."""
        self._inside.remove(name)

    def clear(self, name: str) -> None:
        """Remove a folder of the folder with all that is in it; of a link, the link alone."""
        self._inside.clear(name)

    def forget(self) -> None:
        """Remove all that a run left here, and nothing else."""
        for name in _KINDS:
            self._inside.clear(name)
        self._inside.remove("index.json")
        self._seen.forget()

    def forget_some(self, keys: Collection[str], draws: Collection[str]) -> None:
        """Remove the records and loadings of these keys, and these draws."""
        for name in set(self._names()) - set(self.others(keys, draws)):
            self.remove(name)

    def others(self, keys: Collection[str], draws: Collection[str]) -> list[str]:
        """Return the files of records and loadings of other keys, and of other draws, as places in the folder."""
        kept = {"records": keys, "loadings": keys, "draws": draws}
        return [name for name in self._names() if Path(name).stem not in kept[Path(name).parts[0]]]

    def _names(self) -> list[str]:
        return [
            f"{kind}/{name}"
            for kind, endings in _KINDS.items()
            for name in self._inside.names(kind)
            if name.endswith(endings) and KEY.fullmatch(Path(name).stem)
        ]

    def settle(self) -> None:
        """Have the disk keep what was written so far."""
        if self._unsettled:
            settle(self.path)
            self._unsettled = False

    def held(self) -> AbstractContextManager[None]:
        """Hold the folder, so that two hosts do not run into it at once; see `spcabench.store.lock.held`."""
        return lock.held(self.path)

    def holder(self) -> str:
        """Return which run holds the folder; empty if none does."""
        return lock.holder(self.path)

    def keep_suite(self, text: str) -> None:
        """Keep the suite as run."""
        self.write_bytes("suite.yaml", sealed_yaml(text.encode()))

    def suite_text(self) -> str | None:
        """Return the suite as run, or None."""
        return self._read("suite.yaml", lambda content: unsealed_yaml(content).decode())

    def keep_about(self, about: About) -> None:
        """Keep what the run says of itself."""
        self.write_bytes("run.json", sealed_json(ABOUT.dumps(about)))

    def about(self) -> About:
        """Return what the run says of itself; nothing if that is not known."""
        return self._read("run.json", lambda content: ABOUT.loads(unsealed_json(content))) or About()

    def keep_index(self, keys: Mapping[str, str]) -> None:
        """Keep the key of each planned cell, by the cell's id."""
        self.write_bytes("index.json", sealed_json(json.dumps(keys, indent=1).encode()))

    @property
    def index(self) -> dict[str, str]:
        """The key of each planned cell, by the cell's id."""
        return self._read("index.json", _index, MOST_BYTES) or {}

    def record_file(self, key: str) -> Path:
        """Name the file of a record."""
        return self.path / "records" / f"{key}.json"

    def save(self, record: Record) -> None:
        """Keep a record; replaces what was kept under its key."""
        self.write_bytes(f"records/{record.key}.json", sealed_json(record.dumps().encode()))
        self._seen.saw(record.key, self._inside.stamp(f"records/{record.key}.json"), gist_of(record))

    def gists(self, keys: Collection[str]) -> Iterator[Gist | None]:
        """Yield the gist of each record that is whole, as of `kept`; what the index knows is not read."""
        now = self._seen.now(keys)
        for key in keys:
            yield (self._seen.gist(key, now) or self._read_gist(key, now)) if key else None

    def _read_gist(self, key: str, now: Stamps) -> Gist | None:
        """Read a record and its loadings for their gist, and note it in the index with the stamps from before."""
        record = self.kept(key)
        if record is None:
            return None
        gist = gist_of(record)
        if gist.finished:
            self._seen.saw_loadings(key, now.loadings.get(f"{key}.npz", ""))
        self._seen.saw(key, now.records.get(f"{key}.json", ""), gist)
        return gist

    def kept_records(self, keys: Collection[str]) -> Iterator[Record | None]:
        """Yield each record that is whole, as of `kept`; loadings that the index knows to be whole are not read."""
        now = self._seen.now(keys)
        for key in keys:
            read = self.record if self._seen.gist(key, now) else self.kept
            yield read(key) if key else None

    def keep_seen(self) -> None:
        """Keep the index of what was read and written."""
        self._seen.keep()

    def record(self, key: str) -> Record | None:
        """Return the record of that key, or None."""

        def read(content: bytes) -> Record:
            record = Record.of(json_object(content))
            if record.key != key:
                raise Damaged(f"it is the record of another key, {record.key[:80]}")
            return record

        return self._read(f"records/{key}.json", read)

    def kept(self, key: str) -> Record | None:
        """Return the record of that key if it is whole, and its loadings are if it has any; else None."""
        record = self.record(key)
        return record if record is None or not record.finished or self._has_loadings(record) else None

    def records(self) -> Iterator[Record]:
        """Return every record kept, also those of earlier forms of the suite."""
        for name in self._names():
            record = self.record(Path(name).stem) if name.startswith("records/") else None
            if record is not None:
                yield record

    def loadings(self, key: str) -> dict[str, NDArray[Any]] | None:
        """Return ``components`` (n_components, n_features) and ``mean`` (n_features,) of a record, or None."""
        record = self.kept(key)
        if record is None or not record.loadings:
            return None
        return self._read(
            _loadings(key), lambda content: finite(read_arrays(content), "components", "mean"), MOST_BYTES
        )

    def loadings_file(self, key: str) -> Path:
        """Name the file of a record's loadings."""
        return self.path / _loadings(key)

    def adopt_loadings(self, record: Record, file: Path) -> Record:
        """Take a finished .npz, from the same disk, as the loadings of a record; it is gone from where it was.

        Returns
        -------
        Record
            With the checksum of the loadings.

        Raises
        ------
        Damaged
            If the file does not hold the loadings of a fit.
        """
        try:
            content = Inside(file.parent).read(file.name, MOST_BYTES)
        except FileNotFoundError:
            raise Damaged("it is not there") from None
        finite(read_arrays(content), "components", "mean")
        self._unsettled = True
        with writing(self.loadings_file(record.key)):
            os.replace(file, self.loadings_file(record.key))
        self._seen.saw_loadings(record.key, self._inside.stamp(_loadings(record.key)))
        return replace(record, loadings=hashlib.sha256(content).hexdigest())

    def _has_loadings(self, record: Record) -> bool:
        return self._has(_loadings(record.key), record.loadings)

    def save_draw(self, record: DrawRecord) -> None:
        """Keep what is known of a draw."""
        self.write_bytes(f"draws/{record.id}.json", sealed_json(DRAWS.dumps(record)))

    def draw_record(self, draw_id: str) -> DrawRecord | None:
        """Return what is known of a draw, or None."""

        def read(content: bytes) -> DrawRecord:
            record = DRAWS.loads(unsealed_json(content))
            if record.id != draw_id:
                raise Damaged(f"it is that of another draw, {record.id[:80]}")
            return record

        return self._read(f"draws/{draw_id}.json", read)

    def draw(self, draw_id: str) -> dict[str, Any] | None:
        """Return what is known of a draw, by the names of the fields of `spcabench.store.draw.DrawRecord`."""
        record = self.draw_record(draw_id)
        return None if record is None else dict(vars(record))

    def adopt_samples(self, record: DrawRecord, file: Path) -> DrawRecord:
        """Take an .npz as the samples of a draw to look at, if it is there; return the record with its checksum.

        Raises
        ------
        Damaged
            If the file does not hold samples.
        """
        try:
            content = Inside(file.parent).read(file.name, MOST_BYTES)
        except FileNotFoundError:
            return record
        finite(read_arrays(content), "X")
        self.write_bytes(f"draws/{record.id}.npz", content)
        return replace(record, samples=hashlib.sha256(content).hexdigest())

    def samples(self, draw_id: str) -> dict[str, NDArray[Any]] | None:
        """Return a few samples of a draw to look at: ``X`` as used, ``X_clean`` their originals, or None."""
        record = self.draw_record(draw_id)
        if record is None or not record.samples or not self.has_samples(record):
            return None
        return self._read(f"draws/{draw_id}.npz", lambda content: finite(read_arrays(content), "X"), MOST_BYTES)

    def look_at_draw(self, draw_id: str) -> None:
        """Note what is damaged of a draw."""
        record = self.draw_record(draw_id)
        if record is not None:
            self.has_samples(record)

    def has_samples(self, record: DrawRecord) -> bool:
        """Return whether the samples of a draw are there and whole, if it has any."""
        return not record.samples or self._has(f"draws/{record.id}.npz", record.samples)

    def _has(self, name: str, digest: str) -> bool:
        """Return whether a file is there and has that checksum."""
        try:
            found = self._inside.digest(name, MOST_BYTES)
        except FileNotFoundError:
            return self._note(name, "it is missing")
        except Damaged as error:
            return self._note(name, str(error))
        return found == digest or self._note(name, "its checksum is not that of its record")

    def _read(self, name: str, read: Callable[[bytes], T], most: int = MOST_TEXT) -> T | None:
        """Return what a file holds, or None; a damaged one is noted."""
        try:
            if not KEY.fullmatch(Path(name).stem):
                raise Damaged("its name is no key")
            return read(self._inside.read(name, most))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (Damaged, ValueError) as error:
            self._note(name, str(error))
            return None

    def _note(self, name: str, reason: str) -> bool:
        """Note that a file is damaged, once; return False."""
        self._damages.setdefault(name, f"{reason}; it counts as none, and running again makes it again")
        return False


def _loadings(key: str) -> str:
    return f"loadings/{key}.npz"


def _index(content: bytes) -> dict[str, str]:
    found = json_object(content)
    if not all(isinstance(key, str) and KEY.fullmatch(key) for pair in found.items() for key in pair):
        raise Damaged("it holds what is no key")
    return found
