"""What was found of each promise, and the loop that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from spcabench.check.script import Broken
from spcabench.check.surroundings import limited
from spcabench.specs import MethodUnavailable

Attempt = Callable[[], None]
"""Tries a promise; it raises `Broken` with an example, or `NotApplicable`."""


class NotApplicable(Exception):
    """A promise says nothing of this subject; the message has the reason."""


@dataclass(frozen=True)
class Finding:
    """What was found of a promise.

    Parameters
    ----------
    promise : str
        Its name in `spcabench.promises`.
    verdict : {"kept", "broken", "exempt", "no matter", "not tried"}
        ``exempt``: the specification says that it cannot be kept.  ``no matter``: it does not apply.  ``not tried``:
        one that comes before it is broken.
    reason : str
        Why, unless it is kept.
    example : str
        Python code that shows the fault.
    """

    promise: str
    verdict: Literal["kept", "broken", "exempt", "no matter", "not tried"]
    reason: str = ""
    example: str = ""


NEEDED = ("resolves", "constructor", "parameters", "shape", "draw", "number")
"""The promises without which those after them cannot be tried."""


def examine(attempts: Mapping[str, Attempt], exempt: Mapping[str, str]) -> Iterator[Finding]:
    """Yield what is found of each promise, in the order of `attempts`; those in `exempt` are not tried."""
    stopped = ""
    for name, attempt in attempts.items():
        if name in exempt:
            finding = Finding(name, "exempt", exempt[name])
        elif stopped:
            finding = Finding(name, "not tried", stopped)
        else:
            finding = found(name, attempt)
        if name in NEEDED and finding.verdict in ("broken", "exempt", "no matter"):
            stopped = stopped or f"it needs '{name}'"
        yield finding


def found(name: str, attempt: Attempt) -> Finding:
    """Try one promise."""
    try:
        with limited():
            attempt()
    except Broken as broken:
        if isinstance(broken.__cause__, MethodUnavailable):
            return Finding(name, "no matter", f"the method is unavailable here: {broken.__cause__}")
        return Finding(name, "broken", broken.message, broken.example)
    except NotApplicable as reason:
        return Finding(name, "no matter", str(reason))
    return Finding(name, "kept")
