"""What is found of a benchmark on both sides, the verdict on it, and the table of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabulate import tabulate

from spcabench.perf.bench import worse
from spcabench.perf.sides import Side

HEADERS = ("benchmark", "instructions", "change", "CPEV", "nonzeros", "iterations", "verdict")


@dataclass(frozen=True)
class Row:
    """A benchmark on both sides; a side that lacks it, or where it fails, has the reason instead.

    Parameters
    ----------
    name : str
    base, head : mapping or str
        What `spcabench.perf.bench.measure` kept.
    """

    name: str
    base: Mapping[str, Any] | str
    head: Mapping[str, Any] | str

    def alarms(self, most: float) -> list[str]:
        """Return what is worse than it may be: more instructions than by this share, or a worse fit."""
        if isinstance(self.head, str):
            return ["fits on neither side" if isinstance(self.base, str) else "no longer fits"]
        if isinstance(self.base, str):
            return []
        more = self.head["instructions"] > (1.0 + most) * self.base["instructions"]
        return [*(["instructions"] if more else []), *worse(self.base, self.head)]

    def cells(self, most: float) -> list[str]:
        """Return the row of the table; the last cell is the verdict."""
        alarms = ", ".join(self.alarms(most))
        if isinstance(self.base, str) or isinstance(self.head, str):
            sides = {"base": self.base, "head": self.head}
            reasons = "; ".join(f"{name}: {side}" for name, side in sides.items() if isinstance(side, str))
            return [self.name, *[""] * 5, f"{f'worse: {alarms}' if alarms else 'new'} ({reasons})"]
        change = self.head["instructions"] / self.base["instructions"] - 1.0
        return [
            self.name,
            f"{self.head['instructions']:,}",
            f"{100.0 * change:+.2f} %",
            *(self._from_to(name, form) for name, form in (("cpev", ".6f"), ("nonzeros", "d"), ("iterations", "d"))),
            f"worse: {alarms}" if alarms else "faster" if change < -most else "as before",
        ]

    def _from_to(self, name: str, form: str) -> str:
        base, head = (format(side[name], form) for side in (self.base, self.head) if not isinstance(side, str))
        return base if base == head else f"{base} -> {head}"


def rows_of(base: Side, head: Side) -> list[Row]:
    """Return a row for each benchmark of either side."""
    names = dict.fromkeys([*head.fits, *head.reasons, *base.fits])
    whole = {name for name in names if "::" not in name and any(other.startswith(f"{name}::") for other in names)}
    return [Row(name, base.fit(name), head.fit(name)) for name in names if name not in whole]


def table(rows: Sequence[Row], most: float) -> str:
    """Return a row for each benchmark, in Markdown, and how many are worse."""
    names = [row.name for row in rows if row.alarms(most)]
    said = f"{len(names)} of {len(rows)} benchmarks are worse: {', '.join(names)}"
    made = tabulate([row.cells(most) for row in rows], HEADERS, tablefmt="github", disable_numparse=True)
    return f"{made}\n\n{said if names else f'none of {len(rows)} benchmarks is worse'}"
