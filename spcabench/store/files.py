"""Files written all or nothing, folders for tasks, and the lock by which one host at a time has a folder."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from spcabench.wording import Fault, InputError, Unwritable, digest, in_a_line

LITTLE = 2**24
"""Bytes of free disk below which a worker that left nothing may have found no room for it."""

MOST_TEXT = 2**30
"""Bytes that a text file may have."""


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
    """Make a folder for a task inside `place`, and `place` itself, which a task may have removed.

    Raises
    ------
    Unwritable
        If there is no room, or no right.
    """
    folder = place / f"task-{uuid4().hex}"
    with writing(folder):
        folder.mkdir(parents=True)
    return folder


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


def inside(folder: Path, name: str) -> Path:
    """Return a place in a folder that may come from a stranger.

    Raises
    ------
    InputError
        If a link leads out of the folder.
    """
    place = folder / name
    if not place.parent.resolve().is_relative_to(folder.resolve()):
        raise InputError(Fault("a link leads out of the run's folder; remove it", str(place.parent)))
    return place


def text_of(file: Path) -> str:
    """Return a text file that may come from a stranger; empty if it cannot be read."""
    try:
        sound = file.is_file() and not file.is_symlink() and file.stat().st_size <= MOST_TEXT
        return file.read_text(encoding="utf-8") if sound else ""
    except (OSError, ValueError):  # it is no text, or its name has a zero byte in it
        return ""


def clear(place: Path) -> None:
    """Remove a folder with all that is in it; of a link, the link alone."""
    if place.is_symlink():
        place.unlink()
    shutil.rmtree(place, ignore_errors=True)


def scratch_of(folder: Path) -> Path:
    """Return where the workers' files are while a run goes on: below ``TMPDIR``, and nothing there names the run."""
    return Path(tempfile.gettempdir()) / f"spcabench-{os.getuid()}-{digest(str(folder.resolve()))}"


@contextlib.contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """Return a place for the workers' files of the run in a folder; what a killed run left of it is removed first."""
    place = scratch_of(folder)
    clear(place)
    with writing(place):
        place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        clear(place)


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the lock of a folder, so that two hosts do not run into it at once; the file says who holds it.

    On Windows, which has no such locks, nothing is held.

    Raises
    ------
    InputError
        If another run holds it, with that run, or if it cannot be locked.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise InputError(Fault(f"cannot be locked: {error.strerror}; remove it", str(file))) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(Fault(f"held by another run ({_said(handle)})", str(file.parent))) from None
        with writing(file):
            os.ftruncate(handle, 0)
            since = datetime.now(UTC).isoformat(timespec="seconds")
            os.write(handle, f"process {os.getpid()} on {platform.node()}, since {since}".encode())
        yield
    finally:
        os.close(handle)


def holder(file: Path) -> str:
    """Return which run holds a lock; empty if none does."""
    import fcntl

    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _said(handle)
    finally:
        os.close(handle)
    return ""


def _said(handle: int) -> str:
    return in_a_line(os.pread(handle, 500, 0).decode("utf-8", "replace"))
