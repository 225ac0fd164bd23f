"""What a method says, in words of bounded length: its errors, its warnings, and attributes of any type."""

from __future__ import annotations

import importlib
import reprlib
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pluggy

MOST = 2000
"""Characters kept of one text."""
MOST_ITEMS = 10_000
"""Items kept of one attribute."""


def bounded(text: str) -> str:
    """Return the start of a text, which says the most."""
    return text if len(text) <= MOST else text[:MOST] + "..."


def in_a_line(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())


def of_error(error: object) -> str:
    """Describe an error or a warning, even one that cannot say what it is."""
    try:
        return bounded(f"{type(error).__name__}: {error}")
    except Exception:
        return type(error).__name__


def of_traceback(error: BaseException, lines: int = 30) -> list[str]:
    """Return the end of an error's traceback."""
    try:
        text = "".join(traceback.format_exception(error))
    except Exception:
        text = of_error(error)
    return [bounded(line) for line in text.splitlines()[-lines:]]


_NOT_PLUGINS = (Path(__file__).parent, Path(importlib.__file__).parent, Path(pluggy.__file__).parent)
"""The folders of the host, and of what calls a plugin for it."""

_FINDER = "importlib_metadata"
"""The folder of a library that calls plugins in place of Python's own, wherever another library brings it."""


def place_of(error: BaseException) -> str:
    """Return `` (FILE, line NUMBER)``, where a plugin's code raised an error; an empty string if none did.

    The first file that is not the host's is the plugin's: the last line in its folder is at fault, not what it calls in
    other libraries.
    """
    called = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<")]
    others = [f for f in called if not any(map(Path(f.filename).is_relative_to, _NOT_PLUGINS))]
    others = [f for f in others if Path(f.filename).parent.name != _FINDER]
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}, line {error.lineno})"
    if not others:
        return ""
    folder = Path(others[0].filename).parent
    last = [f for f in others if Path(f.filename).is_relative_to(folder)][-1]
    return f" ({last.filename}, line {last.lineno})"


def plain(value: Any) -> Any:
    """Return plain data for JSON; what is not data is described."""
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, str):
        return bounded(value)
    try:
        if isinstance(value, Mapping):
            return {bounded(str(name)): plain(item) for name, item in list(value.items())[:MOST_ITEMS]}
        values = np.asarray(value)
        if values.dtype.kind in "biuf" and values.size <= MOST_ITEMS:
            return values.tolist()
        if values.dtype.kind == "U" and values.size <= MOST_ITEMS:
            return [bounded(item) for item in values.ravel().tolist()]
        return bounded(reprlib.repr(value))
    except Exception:
        return f"a {type(value).__name__}"


def numbers(value: Any) -> int | float | tuple[int | float, ...] | None:
    """Return a number, or all numbers of an array in one row, or None if it is something else."""
    try:
        found = np.asarray(plain(value))
    except ValueError:
        return None
    if found.dtype.kind not in "iuf":
        return None
    return tuple(found.ravel().tolist()) if found.ndim else found.item()


def roughly(seconds: float) -> str:
    """Describe a time in words as coarse as it is known."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            count = seconds / size
            return f"about {count:{'.2g' if count < 9.5 else '.0f'}} {unit}"
    return "under 2 min" if seconds >= 60 else "under a minute"
