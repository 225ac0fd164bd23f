"""The tables of the pages that show a snapshot of ``reports``; the templates of these pages call them."""

from __future__ import annotations

from collections import Counter

import evidence
from choosing_table import ALPHAS, KINDS
from snapshot_tables import ROOT, Row, groups, markdown, snapshot
from snapshots import read

from spcabench.analysis.verdicts import VERDICTS
from spcabench.plugins import load_registry
from spcabench.report.papers import MEANINGS
from spcabench.report.published import CAN_FAIL
from spcabench.suite.claims import NumberKind, Published
from spcabench.suite.load import load_suite

__all__ = [
    "ALPHAS",
    "MEANINGS",
    "check_methods",
    "items",
    "optima",
    "planted",
    "published_block",
    "published_counts",
]

MEANING: dict[NumberKind, str] = {
    "measured": "of a method; it can fail",
    "dense reference": "of a method that is dense by nature",
    "by construction": "a definition or the target fixes it",
    "time": "of another machine",
    "beside": "of other data or another method than ours, or of no paper",
}
"""The kinds of numbers in the order of the page, each with what it means: which of them can fail."""


def check_methods() -> str:
    """Return the table of how many checks each method reaches."""
    counted = sorted(evidence.checks().items())
    rows = [(name, sum(row["verdict"] == "reached" for row in checks), len(checks)) for name, checks in counted]
    return markdown(["method", "reached", "checks"], rows)


def optima() -> str:
    """Return the table of the optima that each method finds: how many of 13, and by how much its worst is below."""
    places = [(data, start) for data in ("pitprops", "wine") for start in ("default", "published")]
    rows = []
    for (method,), found in groups(snapshot("optima").rows, "method").items():
        cells = {(row["data"], row["start"]): _found(row) for row in found}
        rows.append([method, *(cells.get(place, "") for place in places)])
    return markdown(["method", *(", ".join(place) for place in places)], rows)


def _found(row: Row) -> str:
    return row["found"] if row["found"] == "13" else f"{row['found']}, {row['worst']} %"


def planted() -> str:
    """Return the table of how often planted blocks are found: the snapshot has the draws in which they are not."""
    shown = ("table", "size", "noise", "blocks (strength)", "draws")
    rows = []
    for row in snapshot("choosing").rows:
        draws, told = int(row["draws"]), bool(row["blocks (strength)"])
        shares = [f"{1 - len(row[kind].split()) / draws:.0%}" if told or kind in KINDS[:2] else "" for kind in KINDS]
        rows.append([*(row[name] for name in shown), *shares, f"{float(row['seconds']) / draws:.1f}"])
    return markdown([*shown, *KINDS, "seconds"], rows)


def published_counts() -> str:
    """Return how many published numbers there are, and the table of verdicts by kind."""
    rows = snapshot("published").rows
    known = Counter((row["kind"], row["verdict"]) for row in rows)
    verdicts = [verdict for verdict in VERDICTS if any(seen == verdict for _, seen in known)]
    kinds = [kind for kind in MEANING if any(seen == kind for seen, _ in known)]
    suites = len({row["suite"] for row in rows})
    cells = [
        [f"{kind} ({MEANING[kind]})", *(known[kind, verdict] for verdict in verdicts), known[kind, ""]]
        for kind in kinds
    ]
    failing = sum(row["kind"] in CAN_FAIL for row in rows)
    table = markdown(["kind", *verdicts, "no verdict"], cells)
    return f"{len(rows)} numbers of {suites} suites; {failing} of them can fail.\n\n{table}"


def items() -> str:
    """Return the table of the items of the papers by their verdicts, and the list of them by paper."""
    rows = read(ROOT / "suites" / "items.csv").rows
    papers = list(dict.fromkeys(row["paper"] for row in rows))
    counts = [
        [paper, len(own), *(sum(row["verdict"] == one for row in own) for one in VERDICTS)]
        for paper in papers
        for own in [[row for row in rows if row["paper"] == paper]]
    ]
    names = ("place", "verdict", "item", "published", "ours", "held_by", "tried")
    shown = [name.replace("_", " ") for name in names]
    listed = [
        f"## {paper}\n\n" + markdown(shown, [[row[name] for name in names] for row in rows if row["paper"] == paper])
        for paper in papers
    ]
    return "\n\n".join([markdown(["paper", "items", *VERDICTS], counts), *listed])


def published_block(suite: str, table: str) -> Published:
    """Return what a suite says of one of its published tables."""
    return load_suite(suite, load_registry()).suite.published[int(table) - 1]
