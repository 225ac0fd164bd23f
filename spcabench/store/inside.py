"""A folder that may come from a stranger: nothing in it is followed out of it, and nothing outside is touched."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shutil
import stat
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spcabench.store.files import writing

KEY = re.compile(r"[A-Za-z0-9_-]{1,80}")
"""What names a record, its loadings or a draw; anything else is no name of a file here."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe that nobody writes to would be waited for
_AT_ONCE = 2**20


class Damaged(Exception):
    """A file of a run's folder is not what a run wrote there; the message is the reason, in a clause."""


Stamp = tuple[int, int]
"""What tells a file from any other, and from itself once it has changed: a hash of its inode, its size and its time of
writing, and its time of change in nanoseconds since 1970, which is the system's alone to set."""

NO_FILE: Stamp = (0, 0)
"""The stamp of what is not there, or is no regular file."""


class Inside:
    """A folder whose files are opened from inside it, part by part, and never through a link.

    Parameters
    ----------
    root : Path
        The folder; it may be a link itself, since the user names it.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, name: str, most: int) -> bytes:
        """Return the content of a file.

        Parameters
        ----------
        name : str
            Its place in the folder, with slashes.
        most : int
            Bytes that it may have.

        Raises
        ------
        FileNotFoundError
            If it is not there.
        Damaged
            If it is a link, no regular file, too large, or cannot be read.
        """
        with self._readable(name, most) as (handle, size):
            return b"".join(_parts(handle, size))

    def digest(self, name: str, most: int) -> str:
        """Return the SHA-256 of a file in hexadecimal; it raises what `read` raises."""
        found = hashlib.sha256()
        with self._readable(name, most) as (handle, size):
            for part in _parts(handle, size):
                found.update(part)
        return found.hexdigest()

    def write(self, name: str, content: bytes) -> Path:
        """Write a file all or nothing, and its folder if need be.

        Raises
        ------
        Unwritable
            If there is no room, no right, or a link in its place.
        """
        with writing(self._root / name), self._folder_of(name, make=True) as (folder, leaf):
            temporary = f".{leaf}.{os.getpid()}.part"
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE
                with open(os.open(temporary, flags, 0o666, dir_fd=folder), "wb") as file:
                    file.write(content)
                os.replace(temporary, leaf, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary, dir_fd=folder)
                raise
        return self._root / name

    def remove(self, name: str) -> None:
        """Remove a file, or the link that is in its place; it is no fault if there is none.

        Raises
        ------
        Unwritable
            If it cannot be removed.
        """
        with (
            writing(self._root / name),
            contextlib.suppress(FileNotFoundError),
            self._folder_of(name) as (folder, leaf),
        ):
            os.unlink(leaf, dir_fd=folder)

    def clear(self, name: str) -> None:
        """Remove a folder with all that is in it, or the link that is in its place."""
        with contextlib.suppress(OSError), self._folder_of(name) as (folder, leaf):
            if stat.S_ISDIR(os.stat(leaf, dir_fd=folder, follow_symlinks=False).st_mode):
                shutil.rmtree(leaf, ignore_errors=True, dir_fd=folder)
            else:
                os.unlink(leaf, dir_fd=folder)

    def make(self, name: str) -> None:
        """Make a folder; it may be there.

        Raises
        ------
        OSError
            If it cannot be made, or is a link.
        """
        with self._folder_of(f"{name}/.", make=True):
            pass

    def names(self, folder: str) -> list[str]:
        """Return what is in a folder, sorted; nothing if it is not there or is a link."""
        try:
            with self._folder_of(f"{folder}/.") as (handle, _):
                return sorted(os.listdir(handle))
        except OSError:
            return []

    def stamps(self, folder: str, names: Iterable[str]) -> NDArray[np.int64]:
        """Return the stamps of files in a folder, shape (n, 2)."""
        stamps = array("q")
        with contextlib.suppress(OSError), self._folder_of(f"{folder}/.") as (handle, _):
            for name in names:
                try:
                    stamps.extend(_stamp(os.stat(name, dir_fd=handle, follow_symlinks=False)))
                except OSError:
                    stamps.extend(NO_FILE)
        return np.array(stamps or [NO_FILE for _ in names], dtype=np.int64).reshape(-1, 2)

    def stamp(self, name: str) -> Stamp:
        """Return the stamp of a file."""
        folder, _, leaf = name.rpartition("/")
        return stamp_of(self.stamps(folder, [leaf])[0])

    @contextlib.contextmanager
    def locked_file(self, name: str, flags: int) -> Iterator[int]:
        """Open a file to lock it; `flags` say how.

        Raises
        ------
        OSError
            If it is a link, is known under another name too, or is no regular file.
        """
        with self._folder_of(name) as (folder, leaf):
            handle = os.open(leaf, flags | _FILE, 0o666, dir_fd=folder)
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
                raise OSError(errno.ELOOP, "it is a link, or no regular file")
            yield handle
        finally:
            os.close(handle)

    @contextlib.contextmanager
    def _readable(self, name: str, most: int) -> Iterator[tuple[int, int]]:
        """Open a file to read it; return it and its size."""
        try:
            with self._folder_of(name) as (folder, leaf):
                handle = os.open(leaf, os.O_RDONLY | _FILE, dir_fd=folder)
        except FileNotFoundError:
            raise
        except OSError as error:
            reason = "it is a link" if error.errno == errno.ELOOP else error.strerror
            raise Damaged(f"it cannot be opened: {reason}") from error
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise Damaged("it is no regular file")
            if found.st_size > most:
                raise Damaged(f"it has {found.st_size} bytes; valid is up to {most}")
            yield handle, found.st_size
        except OSError as error:
            raise Damaged(f"it cannot be read: {error.strerror}") from error
        finally:
            os.close(handle)

    @contextlib.contextmanager
    def _folder_of(self, name: str, make: bool = False) -> Iterator[tuple[int, str]]:
        """Open the folder of a file, each part of its path without following a link; return it and the last part."""
        place, leaf = name.rsplit("/", 1) if "/" in name else ("", name)
        parts = [part for part in place.split("/") if part not in ("", ".")]
        if name.startswith("/") or ".." in (*parts, leaf):
            raise ValueError(f"{name!r} is no place inside a folder")
        handle = os.open(self._root, _FOLDER)
        try:
            for part in parts:
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(part, dir_fd=handle)
                inner = _opened_folder(part, handle)
                os.close(handle)
                handle = inner
            yield handle, leaf
        finally:
            os.close(handle)


def _parts(handle: int, size: int) -> Iterator[bytes]:
    """Yield the content of a file of that size; what is written to it meanwhile is left out."""
    while size > 0 and (part := os.read(handle, min(size, _AT_ONCE))):
        size -= len(part)
        yield part


def stamp_of(row: NDArray[np.int64]) -> Stamp:
    """Return a row of `Inside.stamps`."""
    identity, changed = row.tolist()
    return identity, changed


def _stamp(found: os.stat_result) -> Stamp:
    if not stat.S_ISREG(found.st_mode):
        return NO_FILE
    return hash((found.st_ino, found.st_size, found.st_mtime_ns)), found.st_ctime_ns


def _opened_folder(part: str, within: int) -> int:
    try:
        return os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=within)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise OSError(errno.ELOOP, f"'{part}' is a link, or no folder; a run's folder holds no links") from None
        raise
