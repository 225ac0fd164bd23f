"""The claims of the speed benchmarks, the clock, and what becomes of a ratio."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pytest


@dataclass(frozen=True)
class Beside:
    """The cells of a row that say whether a ratio of times compares like with like.

    Parameters
    ----------
    counts : (str, str)
        The cells with our number of nonzeros in total, and theirs.
    quality : (str, str)
        The cells with our quality and theirs, of which more is better, as printed.
    """

    counts: tuple[str, str]
    quality: tuple[str, str]

    def class_of(self, row: Mapping[str, Any], ratio: float) -> str:
        """Return what a row shows; a ratio above 1 means that ours is faster."""
        count, other_count = (int(row[name]) for name in self.counts)
        if count != other_count:
            return "not comparable: counts differ"
        ours, theirs = (float(row[name]) for name in self.quality)
        speed = "faster" if ratio > 1 else "slower" if ratio < 1 else "as fast"
        worth = "no lower" if ours >= theirs else "lower"
        return f"{speed} at equal count and {worth} {self.quality[0].upper()}"


@dataclass(frozen=True)
class Claim:
    """What the ratio must be in each row of a table.

    Parameters
    ----------
    text : str
        The claim in words; the title of its table.
    bound : float
        The worst ratio of which the claim holds.
    better : {"higher", "lower"}
        Which ratios are better.
    row : str
        The name of a row, from its cells.
    number : str
        What the ratio is called in the table.
    beside : Beside, optional
        What else a row must say; the rows are then classed by it.
    """

    text: str
    bound: float
    better: Literal["higher", "lower"]
    row: str
    number: str = "ratio"
    beside: Beside | None = None

    def mark(self, row: Mapping[str, Any], ratio: float) -> str:
        """Return what a row of the table shows, from its cells as printed and its ratio."""
        if self.beside:
            return self.beside.class_of(row, ratio)
        return "holds" if self.holds(ratio) else "does not hold"

    def holds(self, ratio: float) -> bool:
        """Return whether a ratio is as claimed."""
        return ratio >= self.bound if self.better == "higher" else ratio <= self.bound


SKLEARN = Claim(
    "CPU time beside scikit-learn's SparsePCA, asked for its number of nonzeros",
    1.0,
    "higher",
    "{size}, {method}",
    beside=Beside(("nonzeros", "nonzeros of SparsePCA"), ("cpev", "cpev of SparsePCA")),
)
COLD = 5.0
"""The most seconds of the first fit of a process where nothing is compiled yet."""
WARM = Claim(
    "the first fit of a process takes at most 2 s, with the import, where its kernels are in the cache",
    2.0,
    "lower",
    "{method}",
    number="warm s",
)
SINGLE = Claim(
    "samples of single precision at least as fast as a double copy of them",
    1.0,
    "higher",
    "{size}, {method}",
)
THREADS = Claim(
    "two threads are at least 1.1 times as fast as one at random starts and groups of subsets",
    1.1,
    "higher",
    "{method}",
)
CLAIMS = (SINGLE, SKLEARN, THREADS, WARM)
"""The claims on the page, in its order."""


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
    row = claim.row.format(**cells)
    assert claim.holds(ratio), f"lost: {claim.text}: {row}: the ratio is {ratio:.2f}, the bound {claim.bound}"
