"""Files written all or nothing: to a temporary name beside the file, then renamed."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spcabench.errors import Unwritable

LITTLE = 2**24
"""Bytes of free disk below which a worker that left nothing may have found no room for it."""


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
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, file)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    return file


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


def write_json(file: Path, value: Any) -> Path:
    """Write plain data as JSON."""
    return write_bytes(file, (json.dumps(value, indent=1) + "\n").encode())


def read_json(file: Path) -> Any:
    """Read a JSON file; None if it is not there or was cut."""
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None
