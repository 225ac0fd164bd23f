"""A run's folder: suite, records, loadings, draws.  Every file is written to a temporary name and renamed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import platform
import shutil
import tempfile
import zlib
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from spcabench.errors import Fault, InputError
from spcabench.store.draw import DRAWS, DrawRecord
from spcabench.store.files import read_json, settle, write_bytes, write_json, writing
from spcabench.store.record import Record

_TORN = (OSError, ValueError, EOFError, BadZipFile, zlib.error)
"""What reading an .npz raises if it is not there, or if a power cut left a part of it, or a page of zeros in it."""


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
    is known of each data set draw and a few of its samples to look at.  ``report.md``, ``tables`` and
    ``figures`` are made from these.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unsettled = False

    def make(self) -> None:
        """Make the folder and what is in it, and see that it can be written.

        Raises
        ------
        InputError
            If it cannot.
        """
        try:
            for name in ("records", "loadings", "draws"):
                (self.path / name).mkdir(parents=True, exist_ok=True)
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

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file of the folder, all or nothing."""
        return self.write_bytes(name, text.encode())

    def write_bytes(self, name: str, content: bytes) -> Path:
        """Write a binary file of the folder, all or nothing."""
        self._unsettled = True
        return write_bytes(self.path / name, content)

    def write_json(self, name: str, value: Any) -> Path:
        """Write plain data as a JSON file of the folder, all or nothing."""
        self._unsettled = True
        return write_json(self.path / name, value)

    def forget(self) -> None:
        """Remove all that a run left here, and nothing else."""
        for name in ("records", "loadings", "draws"):
            shutil.rmtree(self.path / name, ignore_errors=True)
        (self.path / "index.json").unlink(missing_ok=True)

    def forget_some(self, keys: Collection[str], draws: Collection[str]) -> None:
        """Remove the records and loadings of these keys, and these draws."""
        for file in set(self._files()) - set(self.others(keys, draws)):
            file.unlink()

    def others(self, keys: Collection[str], draws: Collection[str]) -> list[Path]:
        """Return the files of records and loadings of other keys, and of other draws."""
        kept = {"records": keys, "loadings": keys, "draws": draws}
        return [file for file in self._files() if file.stem not in kept[file.parent.name]]

    def _files(self) -> list[Path]:
        return [
            file for name in ("records", "loadings", "draws") for file in sorted((self.path / name).glob("[!.]*.*"))
        ]

    def settle(self) -> None:
        """Have the disk keep what was written so far."""
        if self._unsettled:
            settle(self.path)
            self._unsettled = False

    def read_json(self, name: str) -> Any:
        """Read a JSON file of the folder; None if it is not there or was cut."""
        return read_json(self.path / name)

    def save(self, record: Record) -> None:
        """Keep a record; replaces what was kept under its key."""
        self.write_text(f"records/{record.key}.json", record.dumps())

    def record_file(self, key: str) -> Path:
        """Name the file of a record."""
        return self.path / "records" / f"{key}.json"

    def record(self, key: str) -> Record | None:
        """Return the record of that key, or None; a file that is not a record counts as none."""
        try:
            return Record.loads(self.record_file(key).read_text())
        except (OSError, ValueError):
            return None

    def records(self) -> Iterator[Record]:
        """Return every record kept, also those of earlier forms of the suite."""
        for file in sorted((self.path / "records").glob("*.json")):
            record = self.record(file.stem)
            if record is not None:
                yield record

    def loadings(self, key: str) -> dict[str, NDArray[Any]] | None:
        """Return ``components`` (n_components, n_features) and ``mean`` (n_features,) of a record, or None."""
        return self._arrays(self.loadings_file(key))

    def loadings_file(self, key: str) -> Path:
        """Name the file of a record's loadings."""
        return self.path / "loadings" / f"{key}.npz"

    def has_loadings(self, key: str) -> bool:
        """Return whether loadings are kept under that key, whole: a power cut may have torn the file."""
        return self.loadings(key) is not None

    def adopt_loadings(self, key: str, file: Path) -> None:
        """Take a finished .npz, from the same disk, as the loadings of a key; it is gone from where it was."""
        kept = self.loadings_file(key)
        self._unsettled = True
        with writing(kept):
            os.replace(file, kept)

    def save_draw(self, draw_id: str, record: DrawRecord) -> None:
        """Keep what is known of a draw."""
        self.write_bytes(f"draws/{draw_id}.json", DRAWS.dumps(record))

    def draw_record(self, draw_id: str) -> DrawRecord | None:
        """Return what is known of a draw, or None; a file that does not say it all counts as none."""
        try:
            return DRAWS.loads((self.path / "draws" / f"{draw_id}.json").read_bytes())
        except (OSError, ValueError):
            return None

    def draw(self, draw_id: str) -> dict[str, Any] | None:
        """Return what the file of a draw says, by the names of the fields of `spcabench.store.draw.DrawRecord`."""
        known: dict[str, Any] | None = self.read_json(f"draws/{draw_id}.json")
        return known

    def samples(self, draw_id: str) -> dict[str, NDArray[Any]] | None:
        """Return a few samples of a draw to look at: ``X`` as used, ``X_clean`` their originals, or None."""
        return self._arrays(self._samples_file(draw_id))

    def has_torn_samples(self, draw_id: str) -> bool:
        """Return whether a draw's samples are there and cannot be read."""
        return self._samples_file(draw_id).exists() and self.samples(draw_id) is None

    def _samples_file(self, draw_id: str) -> Path:
        return self.path / "draws" / f"{draw_id}.npz"

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder, so that two hosts do not run into it at once.

        Raises
        ------
        InputError
            If another run holds it; the message says which.
        """
        with (self.path / ".lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(Fault(f"held by another run ({_read(lock)})", str(self.path))) from None
            with writing(self.path / ".lock"):
                lock.truncate(0)
                since = datetime.now(UTC).isoformat(timespec="seconds")
                os.write(lock.fileno(), f"process {os.getpid()} on {platform.node()}, since {since}".encode())
            yield

    def holder(self) -> str:
        """Return which run holds the folder; empty if none does."""
        try:
            with (self.path / ".lock").open("r") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except OSError:
                    return _read(lock)
        except OSError:
            pass
        return ""

    @property
    def index(self) -> dict[str, str]:
        """The key of each planned cell, by the cell's id."""
        index: dict[str, str] = self.read_json("index.json") or {}
        return index

    @staticmethod
    def _arrays(file: Path) -> dict[str, NDArray[Any]] | None:
        try:
            with np.load(file, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except _TORN:
            return None


def _read(file: TextIO) -> str:
    file.seek(0)
    return file.read().strip()
