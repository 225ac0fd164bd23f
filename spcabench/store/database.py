"""A run's file as a database: opened with care, as it may come from a stranger, and written in whole transactions."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from spcabench.foreign.arrays import NUMBERS, array_of
from spcabench.store.files import LITTLE, writing
from spcabench.store.schema import TABLES, VERSION
from spcabench.wording import Fault, InputError, StoreChanged, Unwritable

MOST_BYTES = 2**30
"""Bytes that a text or an array may have."""


class Database:
    """A run's file, opened when it is first read or written.

    Parameters
    ----------
    file : Path
        Made by `write`.

    Raises
    ------
    InputError
        By each method, if the file cannot be read or written, or is damaged.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._connection: sqlite3.Connection | None = None
        self._mark: tuple[object, ...] | None = None

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return what a query finds; nothing if there is no file."""
        if self._connection is None and os.path.lexists(self.file):
            self._connection = opened(self.file, write=False)
        if self._connection is None:
            return []
        with _said(self.file):
            return self._connection.execute(sql, values).fetchall()

    def write(self, *statements: tuple[str, Iterable[tuple[object, ...]]]) -> None:
        """Do statements, each for some rows of values, in one transaction; make the file if there is none."""
        if self._mark is None:
            self.close()
            with writing(self.file):
                self.file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = opened(self.file, write=True)
            self._mark = self._found()
        assert self._connection is not None
        self.see_unchanged()
        try:
            with _said(self.file):
                self._connection.execute("BEGIN IMMEDIATE")
                for sql, rows in statements:
                    self._connection.executemany(sql, rows)
                self._connection.execute("COMMIT")
            self._mark = self._found()
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if isinstance(error, Damaged):  # it was whole when it was opened
                raise StoreChanged(str(error)) from error
            raise

    def see_unchanged(self) -> None:
        """See that the file that is written is there still, and that nobody else wrote to it.

        Raises
        ------
        StoreChanged
            If not.
        """
        if self._mark is not None and self._found() != self._mark:
            who = "something that the run began, or by another program"
            raise StoreChanged(f"{self.file}: it was removed, replaced or written to by {who}; records may be lost")

    def close(self) -> None:
        """Close the file; if it was written, it is one whole file then, which can be copied."""
        if self._connection is not None:
            if self._mark is not None:
                with contextlib.suppress(sqlite3.Error):  # another program reads it
                    self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
        self._connection = self._mark = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def _found(self) -> tuple[object, ...]:
        """Return what changes if the file becomes another, or is written to by another."""
        assert self._connection is not None
        with contextlib.suppress(OSError, sqlite3.Error):
            (written,) = self._connection.execute("PRAGMA data_version").fetchone()
            files = (self.file, self.file.with_name(self.file.name + "-wal"))
            found = [file.stat(follow_symlinks=False) for file in files]
            return written, *((one.st_dev, one.st_ino, one.st_size, one.st_mtime_ns) for one in found)
        return ()


def opened(file: Path, write: bool) -> sqlite3.Connection:
    """Open a run's file, made if it is to be written and not there; what is not a run's is refused before it is read.

    Raises
    ------
    InputError
        If it is a link, damaged, or not of this version.
    """
    if os.path.lexists(file) and not stat.S_ISREG(file.lstat().st_mode):
        raise InputError(Fault("it is a link, or no regular file; remove it", str(file)))
    with _said(file):
        place = f"file:{quote(os.fsencode(file.absolute()))}?mode={'rwc' if write else 'ro'}"
        connection = sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=False)
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
            connection.execute("PRAGMA trusted_schema = OFF")
            if write:
                _make(connection)
            _check(connection, file)
        except BaseException:
            connection.close()
            raise
    return connection


def _make(connection: sqlite3.Connection) -> None:
    """Have what is written logged first, and make the tables if there are none."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        connection.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")


def _check(connection: sqlite3.Connection, file: Path) -> None:
    """See that a file is whole, that its tables are those of a run, and that no trigger does anything beside."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    found = _schema_of(connection)
    if version != VERSION or not _schema() <= found or any(kind == "trigger" for kind, _, _ in found):
        message = f"its tables are not those of a run (version {version}; valid is {VERSION})"
        raise InputError(Fault(f"{message}: run the suite again, into another folder", str(file)))
    (fault,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if fault != "ok":
        raise Damaged(file, fault)


@cache
def _schema() -> frozenset[tuple[str, str, str]]:
    """Return the schema of a new file."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        return _schema_of(connection)


def _schema_of(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str]]:
    return frozenset(connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema"))


def packed(key: str, arrays: Mapping[str, NDArray[Any]]) -> list[tuple[str, str, bytes]]:
    """Return a row for each array: the key, its name, and the array as a .npy file."""
    rows = []
    for name, array in arrays.items():
        file = io.BytesIO()
        np.save(file, array, allow_pickle=False)
        rows.append((key, name, file.getvalue()))
    return rows


def unpacked(content: bytes) -> NDArray[Any]:
    """Return an array of real numbers or truth values from a .npy file, which may come from a stranger.

    Raises
    ------
    ValueError
        If it holds anything else.
    """
    try:
        array = array_of(content)
    except Exception as error:  # a header that is none ends in any of a dozen
        raise ValueError(f"it holds no array: {type(error).__name__}") from error
    if array.dtype.kind not in NUMBERS:
        raise ValueError("it holds no array of real numbers")
    return array


class Damaged(InputError):
    """A run's file is not what a run wrote there."""

    def __init__(self, file: Path, reason: object) -> None:
        remedy = "put a copy in its place, or remove it and run the suite again"
        super().__init__(Fault(f"it is damaged: {reason}; {remedy}", str(file)))


@contextlib.contextmanager
def _said(file: Path) -> Iterator[None]:
    """Say of a file that it cannot be read or written, whatever SQLite says.

    Raises
    ------
    Unwritable
        If there is no room, or no right.
    InputError
        If it is damaged, or locked by another program.
    """
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise InputError(Fault("another program has locked it; try again when it has ended", str(file))) from error
        is_full = name.startswith("SQLITE_IOERR") and shutil.disk_usage(file.parent).free < LITTLE
        if name == "SQLITE_FULL" or is_full:
            raise Unwritable(file, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) from error
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_PERM")):
            raise Unwritable(file, OSError(errno.EIO, str(error))) from error
        raise Damaged(file, error) from error
