"""One host at a time: the lock of a run's folder, and who holds it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from spcabench.store.files import writing
from spcabench.store.inside import Inside
from spcabench.wording import Fault, InputError, in_a_line

_NAME = ".lock"
_LONGEST = 500


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a run's folder, so that two hosts do not run into it at once.

    Raises
    ------
    InputError
        If another run holds it, with that run, or if the lock is not a file of its own.
    """
    with contextlib.ExitStack() as stack:
        try:
            lock = stack.enter_context(Inside(path).locked_file(_NAME, os.O_RDWR | os.O_CREAT))
        except OSError as error:
            reason = "it is a link" if error.errno == errno.ELOOP else error.strerror
            raise InputError(Fault(f"cannot be locked: {reason}; remove it", str(path / _NAME))) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(Fault(f"held by another run ({_said(lock)})", str(path))) from None
        with writing(path / _NAME):
            os.ftruncate(lock, 0)
            since = datetime.now(UTC).isoformat(timespec="seconds")
            os.write(lock, f"process {os.getpid()} on {platform.node()}, since {since}".encode())
        yield


def holder(path: Path) -> str:
    """Return which run holds a folder; empty if none does."""
    try:
        with Inside(path).locked_file(_NAME, os.O_RDONLY) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return _said(lock)
    except OSError:
        pass
    return ""


def _said(lock: int) -> str:
    return in_a_line(os.pread(lock, _LONGEST, 0).decode("utf-8", "replace"))
