"""What was found of each promise, the loop that finds it, and what it runs in."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np
from threadpoolctl import threadpool_limits

from spcabench.check.script import Broken, NotApplicable
from spcabench.specs import MethodUnavailable

Attempt = Callable[[], object]
"""Tries a promise; it raises `Broken` with an example, or `NotApplicable`."""
Verdict = Literal["kept", "broken", "exempt", "no matter", "not tried"]

FIRST = ("resolves", "constructor", "parameters", "shape", "finite", "draw", "number")
"""The promises without which those after them cannot be tried."""
COMPARING = ("sign", "column_sign", "shift", "row_order", "column_order", "scale", "covariance", "seed", "refitted")
"""The promises that compare two results, and cannot be tried if the same input has different ones."""


@dataclass(frozen=True)
class Finding:
    """What was found of a promise.

    Parameters
    ----------
    promise : str
        Its name in `spcabench.promises`.
    verdict : {"kept", "broken", "exempt", "no matter", "not tried"}
        ``exempt``: the specification says that it cannot be kept.  ``no matter``: it does not apply.  ``not tried``:
        one that it needs is broken.
    reason : str
        Why, unless it is kept.
    example : str
        Python code that shows the fault.
    output : str
        The end of what was printed meanwhile, if the process that tried it was ended.
    """

    promise: str
    verdict: Verdict
    reason: str = ""
    example: str = ""
    output: str = ""


def examine(names: Iterable[str], exempt: Mapping[str, str], find: Callable[[str], Finding]) -> Iterator[Finding]:
    """Yield what is found of each promise; those in `exempt`, and those that need a broken one, are not tried."""
    stopped = unlike = ""
    for name in names:
        needed = stopped or (unlike if name in COMPARING else "")
        if name in exempt:
            finding = Finding(name, "exempt", exempt[name])
        elif needed:
            finding = Finding(name, "not tried", f"it needs '{needed}'")
        else:
            finding = find(name)
        if finding.verdict in ("broken", "exempt", "no matter"):
            stopped = stopped or (name if name in FIRST else "")
            unlike = unlike or (name if name == "deterministic" else "")
        yield finding


def found(name: str, attempt: Attempt) -> Finding:
    """Try one promise in this process."""
    try:
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
