"""Data sets as workers get them: copies in memory that nobody can change, root and their own host included."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import stat
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

KEPT = 2
"""Copies that stay in memory beside those in use; others are made again from their file when they are needed."""

_AT_ONCE = 2**20


@dataclass(frozen=True)
class _Copy:
    """A copy, and the path by which any process of the same user opens it."""

    handle: int
    place: Path


class SealedData:
    """The files of drawn data, each with a sealed copy in memory while it is in use.

    A copy is a memfd of Linux whose seals let nobody write to it any more, whatever the permissions.  A file is told
    from what was drawn by its checksum whenever a copy is made of it.  Where there is no memfd, or no room for it,
    workers get the file, which is held against its checksum whenever the time of its last change is another.

    Parameters
    ----------
    in_use : callable
        Returns the files whose copies workers may be about to open.
    """

    def __init__(self, in_use: Callable[[], Collection[Path]] = tuple) -> None:
        self._in_use = in_use
        self._digests: dict[Path, str] = {}
        self._changes: dict[Path, _Change] = {}
        self._copies: OrderedDict[Path, _Copy] = OrderedDict()

    def keep(self, file: Path) -> bool:
        """Take a file for what was drawn; return whether it can be read."""
        self._drop(file)
        self._digests.pop(file, None)
        return self._copy(file)

    def has(self, file: Path) -> bool:
        """Return whether data is there as it was drawn; a file is read only if it was touched."""
        with contextlib.suppress(OSError):
            if file in self._copies or _change(os.lstat(file)) == self._changes.get(file):
                return True
        return self._copy(file)

    def place(self, file: Path) -> Path | None:
        """Return the path by which a worker is to open a data set; None if it is not as it was drawn."""
        if file not in self._copies and not self._copy(file):
            return None
        if file not in self._copies:
            return file
        self._copies.move_to_end(file)
        return self._copies[file].place

    def close(self) -> None:
        """Forget all copies."""
        for file in list(self._copies):
            self._drop(file)

    def _drop(self, file: Path) -> None:
        copy = self._copies.pop(file, None)
        if copy is not None:
            os.close(copy.handle)

    def _copy(self, file: Path) -> bool:
        """Copy a file, if there is memory; return whether it can be read, and is as it was before."""
        try:
            source = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            found = os.fstat(source)
            return stat.S_ISREG(found.st_mode) and self._copied(file, source, _change(found))
        except OSError:
            return False
        finally:
            os.close(source)

    def _copied(self, file: Path, source: int, change: _Change) -> bool:
        with contextlib.ExitStack() as unused:
            handle = _memory()
            if handle is not None:
                unused.callback(os.close, handle)
            elif self._changes.get(file) == change:
                return True
            digest = _written(source, handle)
            if digest is None:  # no room
                handle = None
                os.lseek(source, 0, os.SEEK_SET)
                digest = _written(source, None)
            if self._digests.setdefault(file, str(digest)) != digest:
                return False
            self._changes[file] = change
            if handle is not None:
                fcntl.fcntl(handle, fcntl.F_ADD_SEALS, _SEALS)
                unused.pop_all()
                self._copies[file] = _Copy(handle, Path(f"/proc/{os.getpid()}/fd/{handle}"))
                self._drop_idle(file)
            return True

    def _drop_idle(self, newest: Path) -> None:
        in_use = {newest, *self._in_use()}
        for other in [file for file in self._copies if file not in in_use][:-KEPT]:
            self._drop(other)


_Change = tuple[int, ...]
"""What of a file is another when it has been changed: the kernel sets the time, and no program can."""


def _change(found: os.stat_result) -> _Change:
    return found.st_dev, found.st_ino, found.st_size, found.st_ctime_ns


_SEALS = (
    fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
    if hasattr(fcntl, "F_SEAL_WRITE")
    else 0
)


def _memory() -> int | None:
    """Return an empty file in memory that can be sealed; None where there is none."""
    if not _SEALS or not hasattr(os, "memfd_create"):
        return None
    with contextlib.suppress(OSError):
        return os.memfd_create("spcabench", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    return None


def _written(source: int, target: int | None) -> str | None:
    """Copy a file if there is a target; return its checksum, or None if there is no room."""
    found = hashlib.sha256()
    while part := os.read(source, _AT_ONCE):
        found.update(part)
        try:
            while target is not None and part:
                part = part[os.write(target, part) :]  # which may write less than all
        except OSError:
            return None
    return found.hexdigest()


def in_force() -> str:
    """Describe what keeps data sets from being changed."""
    handle = _memory()
    if handle is None:
        return "held against their checksums"
    os.close(handle)
    return "sealed in memory"
