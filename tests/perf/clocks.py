"""CPU time of one thread, which other programs on the machine disturb less than wall time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from claims import Claim

cpu = pytest.mark.benchmark(timer=time.process_time, warmup=False)
"""Marks tests whose benchmark measures CPU time."""


def seconds(call: Callable[[], Any], rounds: int = 1) -> float:
    """Return the CPU time of a call, the least of several."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def conclude(benchmark: Any, claim: Claim, ratio: float, **cells: Any) -> None:
    """Keep a row of the table, which pytest-benchmark saves with its times, and fail if the claim is lost in it."""
    shown = {name: round(value, 4) if isinstance(value, float) else value for name, value in cells.items()}
    shown[claim.number] = round(ratio, 2)
    benchmark.extra_info.update(claim=claim.text, row={**shown, "": claim.mark(shown, ratio)})
    claim.conclude(claim.row.format(**cells), ratio)
