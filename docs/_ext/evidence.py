"""What the snapshots in ``reports`` say about each method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from snapshot_tables import Row, groups, snapshot

from spcabench.plugins import load_registry
from spcabench.suite.load import load_suite


@dataclass(frozen=True)
class Optima:
    """The proved optima of 26 that a method finds by default, and its worst shortfall in %."""

    found: int
    worst: float


@cache
def checks() -> Mapping[str, Sequence[Row]]:
    """Return the checks of each method."""
    return {method: rows for (method,), rows in groups(snapshot("checks").rows, "method").items()}


@cache
def optima() -> Mapping[str, Optima]:
    """Return how many proved optima each method finds by default."""
    by_default = [row for row in snapshot("optima").rows if row["start"] == "default"]
    return {method: _optima(rows) for (method,), rows in groups(by_default, "method").items()}


def _optima(rows: Iterable[Row]) -> Optima:
    return Optima(sum(int(row["found"]) for row in rows), max(float(row["worst"]) for row in rows))


@cache
def published() -> Mapping[str, Mapping[str, Counter[str]]]:
    """Return how often each verdict on a published number fell on each method, by suite."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for row in snapshot("published").rows:
        name = labels(row["suite"]).get(row["method"])
        if name and row["verdict"]:
            found.setdefault(name, {}).setdefault(row["suite"], Counter())[row["verdict"]] += 1
    return found


@cache
def labels(suite: str) -> Mapping[str, str]:
    """Return the method of each label in a suite."""
    plan = load_suite(suite, load_registry()).plan
    return {cell.method.label: cell.method.spec.name for cell in plan.cells}
