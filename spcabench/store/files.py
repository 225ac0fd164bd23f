"""Files written all or nothing: to a temporary name beside the file, then renamed."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any


def write_bytes(file: Path, content: bytes) -> Path:
    """Write a file, making its folder if need be; on any failure what was there before stays."""
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


def write_json(file: Path, value: Any) -> Path:
    """Write plain data as JSON."""
    return write_bytes(file, (json.dumps(value, indent=1) + "\n").encode())


def read_json(file: Path) -> Any:
    """Read a JSON file; None if it is not there or was cut."""
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None
