"""What the pages in ``reports`` say about each method."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from report_tables import REPORTS, Table, number, tables

from spcabench.plugins import load_registry
from spcabench.suite.load import load_suite

BESIDE_SKLEARN = "CPU time beside scikit-learn's SparsePCA, asked for its number of nonzeros"
BESIDE_ABESS = "Exact-cardinality methods at least as fast as abess, with no lower variance"
BY_DEFINITION = ("by construction", "not published")
"""Kinds of numbers that say nothing about a method."""


@dataclass(frozen=True)
class Check:
    """A number or claim of the specification, beside what is reached."""

    source: str
    check: str
    expected: str
    reached: str
    verdict: str
    reason: str


@dataclass(frozen=True)
class Optima:
    """The proved optima that a method finds by default, of 13 on each of two data sets, and its worst shortfall."""

    pitprops: int
    wine: int
    worst: float

    @property
    def found(self) -> int:
        """Of 26."""
        return self.pitprops + self.wine


@cache
def checks() -> Mapping[str, Sequence[Check]]:
    """Return the checks of each method, from ``checks.csv``."""
    found: dict[str, list[Check]] = {}
    with (REPORTS / "checks.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            about = (row[name] for name in ("source", "check", "expected", "reached", "verdict", "reason"))
            found.setdefault(row["method"], []).append(Check(*about))
    return found


@cache
def optima() -> Mapping[str, Optima]:
    """Return what ``optima.md`` has of each method, by default."""
    (table,) = tables("optima.md")
    return {row["method"]: _optima(row["pitprops, default"], row["wine, default"]) for row in table.rows}


def _optima(pitprops: str, wine: str) -> Optima:
    cells = [cell.partition(",")[::2] for cell in (pitprops, wine)]
    worst = max(number(rest.strip()) or 0.0 for _, rest in cells)
    return Optima(int(cells[0][0]), int(cells[1][0]), worst)


@cache
def published() -> Mapping[str, Mapping[str, Counter[str]]]:
    """Return how often each verdict of ``published.md`` fell on each method, by suite."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for table in tables("published.md"):
        if {"method", "kind", "verdict"} <= set(table.columns) and "nonzeros" in table.columns:
            suite = table.heading.partition(":")[0]
            names = labels(suite)
            for row in table.rows:
                name = names.get(row["method"])
                if name and row["kind"] not in BY_DEFINITION:
                    found.setdefault(name, {}).setdefault(suite, Counter())[row["verdict"]] += 1
    return found


@cache
def labels(suite: str) -> Mapping[str, str]:
    """Return the method of each label in a suite."""
    plan = load_suite(suite, load_registry()).plan
    return {cell.method.label: cell.method.spec.name for cell in plan.cells}


def speed(heading: str) -> Table:
    """Return the table of ``speed.md`` below a heading."""
    return next(table for table in tables("speed.md") if table.heading == heading)


def speed_of(method: str, heading: str) -> list[Mapping[str, str]]:
    """Return the rows of a method in a table of ``speed.md``."""
    return [row for row in speed(heading).rows if row["method"] == method]
