"""The comparison of two commits as a table."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from spcabench.perf.measured import Compared, Limits

HEADERS = ("solver", "size", "instructions", "time [99 % interval]", "variance", "nonzeros", "iterations", "verdict")


def table(rows: Sequence[Compared], limits: Limits) -> str:
    """Return a row for each case, in Markdown."""
    return tabulate([_cells(row, limits) for row in rows], HEADERS, tablefmt="github", disable_numparse=True)


def _cells(row: Compared, limits: Limits) -> list[str]:
    about = [row.case.solver, row.case.size]
    if row.both is None:
        reasons = [
            f"{name}: {side}" for name, side in (("base", row.base), ("head", row.head)) if isinstance(side, str)
        ]
        return [*about, *[""] * 5, f"{row.verdict(limits)} ({'; '.join(reasons)})"]
    base, head = (side.quality for side in row.both)
    time = row.time
    return [
        *about,
        "" if row.instructions is None else _change(row.instructions),
        "" if time is None else f"{time.middle:.3f} [{time.low:.3f}, {time.high:.3f}]",
        _from_to(f"{base.variance:.6f}", f"{head.variance:.6f}"),
        _from_to(str(base.nonzeros), str(head.nonzeros)),
        _from_to(str(base.iterations), str(head.iterations)),
        row.verdict(limits),
    ]


def _change(ratio: float) -> str:
    return f"{100.0 * (ratio - 1.0):+.2f} %"


def _from_to(base: str, head: str) -> str:
    return base if base == head else f"{base} -> {head}"


def summary(rows: Sequence[Compared], limits: Limits) -> str:
    """Return how many cases are worse, and which."""
    worse = [row for row in rows if row.alarms(limits)]
    if not worse:
        return f"none of {len(rows)} cases is worse"
    return f"{len(worse)} of {len(rows)} cases are worse: " + ", ".join(row.case.name for row in worse)
