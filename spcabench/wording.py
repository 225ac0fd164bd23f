"""What is said to users: faults that they can correct, text from strangers, and what a method says of itself."""

from __future__ import annotations

import hashlib
import json
import os
import re
import reprlib
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOST = 2000
"""Characters kept of one text."""
MOST_ITEMS = 10_000
"""Items kept of one attribute."""

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # what moves the cursor, sets colours or titles, or rings
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the order of reading round
    "\u2028\u2029\ud800-\udfff]"  # other line breaks, and halves of a character, which no encoding has
)

_IN_ORDER = json.JSONEncoder(sort_keys=True, default=str)

_HOST = f"{Path(__file__).parent}{os.sep}"
_CALLERS = frozenset({"importlib", "metadata", "importlib_metadata", "pluggy"})
"""The folders of what calls a plugin for the host, wherever another library brings it."""


def digest(value: Any) -> str:
    """Hash plain data, whatever the order of its keys."""
    return hashlib.sha256(_IN_ORDER.encode(value).encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a user's input: where, and what.

    Parameters
    ----------
    message : str
        What was found, what is valid, and the nearest valid spelling.
    where : str
        The file, option or parameter.
    line : int, optional
        The line in the file, from 1.
    """

    message: str
    where: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = self.where if self.line is None else f"{self.where}:{self.line}"
        return f"{place}: {self.message}" if place else self.message


class InputError(Exception):
    """Bad input; ends in exit code 2 with every fault found."""

    def __init__(self, faults: str | Fault | Sequence[Fault]) -> None:
        if isinstance(faults, str):
            faults = Fault(faults)
        self.faults = [faults] if isinstance(faults, Fault) else list(faults)
        super().__init__("\n".join(map(str, self.faults)))


class Unwritable(InputError):
    """A file cannot be written: the disk is full, or permission is missing."""

    def __init__(self, file: object, error: OSError) -> None:
        message = f"cannot be written: {error.strerror or error}"
        super().__init__(Fault(f"{message}; what was finished is kept", str(file)))


class StoreChanged(Exception):
    """What a run wrote is gone, or was changed by something that it began; ends in exit code 1."""


def printable(text: str) -> str:
    r"""Return a text with every character that must not reach a terminal or a file written as its escape.

    Examples
    --------
    >>> printable("red: \x1b[31m, a name that is not UTF-8: \udce9")
    'red: \\x1b[31m, a name that is not UTF-8: \\udce9'
    """
    return UNPRINTABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("ascii", "backslashreplace").decode() if found[0] > "\x7f" else f"\\x{ord(found[0]):02x}"


def encoded(text: str) -> bytes:
    """Return a text as UTF-8; halves of a character, which it does not have, as their escapes."""
    return text.encode("utf-8", "backslashreplace")


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


def place_of(error: BaseException) -> str:
    """Return `` (FILE, line NUMBER)``, where a plugin's code raised an error; an empty string if none did.

    The first file that is not the host's is the plugin's: the last line in its folder is at fault, not what it calls in
    other libraries.
    """
    called = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<")]
    others = [f for f in called if not f.filename.startswith(_HOST) and Path(f.filename).parent.name not in _CALLERS]
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
    import numpy as np

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
    import numpy as np

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
