"""What the three papers say, item by item: the list beside the suites, with the verdicts of runs of today."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from spcabench.analysis.verdicts import VERDICTS
from spcabench.report.claims import judged_claims
from spcabench.report.document import Columns, Field, Table, tabled
from spcabench.report.model import Results
from spcabench.report.published import Pair
from spcabench.suite.yaml_source import suite_folders

ITEMS = "items.csv"
"""Beside the suites: what the papers say, item by item, each with what holds it and the verdict."""


@cache
def items() -> list[dict[str, str]]:
    """Read the list of the items of the papers."""
    files = [folder / ITEMS for folder in suite_folders() if (folder / ITEMS).is_file()]
    return [row for file in files for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]


def together(verdicts: Iterable[str]) -> str:
    """Return the verdict on an item of several numbers: the worst; open if there are none."""
    found = set(verdicts)
    return next((one for one in ("refuted", "open", "explained", "reproduced") if one in found), "open")


def of_runs(runs: Iterable[Results], found: Iterable[Pair]) -> dict[str, str]:
    """Return the verdicts of some runs on their claims and tables, by what the list of items says that holds them.

    ``SUITE: NAME`` is a claim, ``SUITE: table N`` the N-th published table, ``SUITE: table N: METHOD`` a row of it.
    """
    known: dict[str, str] = {}
    found = list(found)
    for run in runs:
        name = run.suite.name
        known |= {f"{name}: {one.claim.name}": one.verdict for one in judged_claims(run)}
        for place, block in enumerate(run.suite.published, 1):
            here = [pair for pair in found if pair.block is block and pair.verdict]
            known[f"{name}: table {place}"] = together(pair.verdict for pair in here)
            for method in {pair.method for pair in here}:
                verdicts = (pair.verdict for pair in here if pair.method == method)
                known[f"{name}: table {place}: {method}"] = together(verdicts)
    return known


def opening(runs: Iterable[Results], found: Iterable[Pair]) -> Table | None:
    """Count the items of each paper by their verdicts: those of some runs, and of the list where these say nothing."""
    known = of_runs(runs, found)
    counts: dict[str, Counter[str]] = {}
    for item in items():
        verdict = known.get(item["held_by"].removeprefix("spcabench run "), item["verdict"])
        counts.setdefault(item["paper"], Counter())[verdict] += 1
    columns: Columns[tuple[str, Mapping[str, int]]] = (
        (Field("paper", "paper"), lambda row: row[0]),
        (Field("items", "items", numeric=True), lambda row: sum(row[1].values())),
        *((Field(name, name, numeric=True), lambda row, name=name: row[1][name]) for name in VERDICTS),
    )
    return tabled("items", "", columns, list(counts.items()))
