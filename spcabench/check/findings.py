"""What was found of each promise, the loop that finds it, and what it runs in."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Literal

import numpy as np
from threadpoolctl import threadpool_limits

from spcabench.check.script import Broken, NotApplicable
from spcabench.specs import MethodUnavailable

Attempt = Callable[[], object]
"""Tries a promise; it raises `Broken` with an example, or `NotApplicable`."""

LIMIT = 60.0
"""Processor seconds that one promise may take."""

NEEDED = ("resolves", "constructor", "parameters", "shape", "draw", "number")
"""The promises without which those after them cannot be tried."""


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


@contextmanager
def apart() -> Iterator[None]:
    """Hold BLAS to one thread, and restore the global random generators afterwards."""
    states = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        with threadpool_limits({"blas": 1}):
            yield
    finally:
        np.random.set_state(states[0])  # noqa: NPY002
        random.setstate(states[1])


@contextmanager
def limited(seconds: float = LIMIT) -> Iterator[None]:
    """Raise `TimeoutError` in what takes more processor time, where Python can interrupt it: in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"no result after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
