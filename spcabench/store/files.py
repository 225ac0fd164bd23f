"""Files written all or nothing: to a temporary name beside the file, then renamed.

A renamed file survives the death of the process that wrote it; only a power cut can lose it, until `settle` has had
the disk keep it.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from spcabench.wording import Unwritable

LITTLE = 2**24
"""Bytes of free disk below which a worker that left nothing may have found no room for it."""

TRIES = 100
"""How often a folder is made again that someone removes at the same time."""


@contextlib.contextmanager
def writing(file: Path) -> Iterator[None]:
    """Say of a file that it cannot be written, whatever the operating system says.

    Raises
    ------
    Unwritable
        With the file and the reason.
    """
    try:
        yield
    except OSError as error:
        raise Unwritable(file, error) from error


def write_bytes(file: Path, content: bytes) -> Path:
    """Write a file, making its folder if need be; on any failure what was there before stays.

    Raises
    ------
    Unwritable
        If there is no room, or no right.
    """
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
        try:
            temporary.write_bytes(content)
            os.replace(temporary, file)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    return file


def new_folder(place: Path) -> Path:
    """Make a folder for a task inside `place`, and `place` itself, even if a task removes it at the same time.

    Raises
    ------
    Unwritable
        If there is no room, or no right, or `place` is removed time and again.
    """
    with writing(place):
        for _ in range(TRIES):
            place.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                return Path(tempfile.mkdtemp(dir=place, prefix="task-"))
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


def settle(folder: Path) -> None:
    """Have the disk keep all that was written so far to the file system of a folder.

    One call for many files costs as much as one for a single file (measured on ext4: 6 ms for 600 records, where
    telling the disk of each costs 140 ms).

    Raises
    ------
    Unwritable
        If the disk cannot.
    """
    with writing(folder):
        if sys.platform != "linux":
            os.sync()
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            if _LIBC.syncfs(handle):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        finally:
            os.close(handle)


_LIBC = ctypes.CDLL(None, use_errno=True)


def see_room(folder: Path) -> None:
    """See that a folder takes files still.

    Raises
    ------
    Unwritable
        If it does not, or is about to.
    """
    with writing(folder):
        if shutil.disk_usage(folder).free < LITTLE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
