"""The files of a folder that may come from a stranger: each is whole, or it counts as none and is noted.

This is the one place that reads what a run keeps.  Each file is opened from inside the folder, bounded in size, and
held against its checksum.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from spcabench.store.arrays import MOST_BYTES
from spcabench.store.files import settle
from spcabench.store.inside import KEY, Damaged, Inside
from spcabench.wording import encoded

T = TypeVar("T")

MOST_TEXT = 2**25
"""Bytes that a record, a draw, the suite or ``run.json`` may have."""
MOST_NAMED = 10
"""Damaged files that are named at most; the rest is counted."""


class WholeFiles:
    """The files of a folder.

    Parameters
    ----------
    path : Path
        The folder.

    Notes
    -----
    Every file is written to a temporary name and renamed; no link is followed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._inside = Inside(path)
        self._unsettled = False
        self._damages: dict[str, str] = {}

    @property
    def damages(self) -> list[str]:
        """What was found damaged so far, a line for each file; the first few, and how many more."""
        lines = [f"{self.path / name}: {reason}" for name, reason in self._damages.items()]
        more = len(lines) - MOST_NAMED
        return [*lines[:MOST_NAMED], *([f"{more} more files in {self.path} are damaged"] if more > 0 else [])]

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file of the folder, all or nothing."""
        return self.write_bytes(name, encoded(text))

    def write_bytes(self, name: str, content: bytes) -> Path:
        """Write a binary file of the folder, all or nothing."""
        self._unsettled = True
        return self._inside.write(name, content)

    def text(self, name: str) -> str:
        """Return a text file of the folder that has no checksum, such as a figure; empty if it cannot be read."""
        try:
            return self._inside.read(name, MOST_BYTES).decode()
        except (FileNotFoundError, Damaged, UnicodeDecodeError):
            return ""

    def remove(self, name: str) -> None:
        """Remove a file of the folder; it is no fault if there is none."""
        self._inside.remove(name)

    def clear(self, name: str) -> None:
        """Remove a folder of the folder with all that is in it; of a link, the link alone."""
        self._inside.clear(name)

    def settle(self) -> None:
        """Have the disk keep what was written so far."""
        if self._unsettled:
            settle(self.path)
            self._unsettled = False

    def _has(self, name: str, digest: str) -> bool:
        """Return whether a file is there and has that checksum."""
        try:
            found = self._inside.digest(name, MOST_BYTES)
        except FileNotFoundError:
            return self._note(name, "it is missing")
        except Damaged as error:
            return self._note(name, str(error))
        return found == digest or self._note(name, "its checksum is not that of its record")

    def _read(self, name: str, read: Callable[[bytes], T], most: int = MOST_TEXT) -> T | None:
        """Return what a file holds, or None; a damaged one is noted."""
        try:
            if not KEY.fullmatch(name.rpartition("/")[2].rpartition(".")[0]):
                raise Damaged("its name is no key")
            return read(self._inside.read(name, most))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (Damaged, ValueError) as error:
            self._note(name, str(error))
            return None

    def _note(self, name: str, reason: str) -> bool:
        """Note that a file is damaged, once; return False."""
        self._damages.setdefault(name, f"{reason}; it counts as none, and running again makes it again")
        return False
