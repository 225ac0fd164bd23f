"""A run's folder: suite, index, records and loadings, and what it keeps of its draws."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from spcabench.store import lock
from spcabench.store.about import ABOUT, About
from spcabench.store.arrays import MOST_BYTES, finite, read_arrays
from spcabench.store.files import writing
from spcabench.store.gist import Gist, gist_of
from spcabench.store.inside import KEY, Damaged, Inside, stamp_of
from spcabench.store.kept_draws import KeptDraws
from spcabench.store.record import Record
from spcabench.store.sealed import json_object, sealed_json, sealed_yaml, unsealed_json, unsealed_yaml
from spcabench.store.seen import Looked, Seen
from spcabench.wording import InputError

_KINDS: Mapping[str, tuple[str, ...]] = {
    "records": (".json",),
    "loadings": (".npz",),
    "draws": (".json", ".npz"),
}
"""The folders, and how the names of their files end."""


class RunFolder(KeptDraws):
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
    ``figures`` are made from these.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._seen = Seen(self._inside)

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
        now = self._seen.look(keys)
        for place, (key, known) in enumerate(zip(keys, self._seen.gists(now), strict=True)):
            yield (known or self._read_gist(key, now, place)) if key else None

    def _read_gist(self, key: str, now: Looked, place: int) -> Gist | None:
        """Read a record and its loadings for their gist, and note it in the index with the stamps from before."""
        record = self.kept(key)
        if record is None:
            return None
        gist = gist_of(record)
        if gist.finished:
            self._seen.saw_loadings(key, stamp_of(now.loadings[place]))
        self._seen.saw(key, stamp_of(now.records[place]), gist)
        return gist

    def kept_records(self, keys: Collection[str]) -> Iterator[Record | None]:
        """Yield each record that is whole, as of `kept`; loadings that the index knows to be whole are not read."""
        for key, same in zip(keys, self._seen.look(keys).same, strict=True):
            read = self.record if same else self.kept
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

    def take(self, other: RunFolder, key: str) -> None:
        """Take a whole record and its loadings from another folder, byte by byte.

        Raises
        ------
        Damaged, FileNotFoundError
            If they cannot be read.
        """
        names = [_loadings(key)] if other.loadings_file(key).exists() else []
        for name in (*names, f"records/{key}.json"):
            self.write_bytes(name, other._inside.read(name, MOST_BYTES))

    def _has_loadings(self, record: Record) -> bool:
        return self._has(_loadings(record.key), record.loadings)


def _loadings(key: str) -> str:
    return f"loadings/{key}.npz"


def _index(content: bytes) -> dict[str, str]:
    found = json_object(content)
    if not all(isinstance(key, str) and KEY.fullmatch(key) for pair in found.items() for key in pair):
        raise Damaged("it holds what is no key")
    return found
