"""Errors that a user can correct, reported in clear words and without a traceback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


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
        super().__init__(Fault(f"{message}; what was finished is kept, and running again resumes", str(file)))


class StoreChanged(Exception):
    """What a run wrote is gone, or was changed by something that it began; ends in exit code 1."""
