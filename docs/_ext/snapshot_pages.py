"""The parts of the pages that show a snapshot of ``reports``: see the templates of these pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import evidence
from snapshot_tables import Row, groups, markdown, shown, snapshot

from spcabench.analysis.verdicts import VERDICTS
from spcabench.plugins import load_registry
from spcabench.report.published import MEANING, by_chance
from spcabench.suite.load import load_suite


def sections(parts: Iterator[tuple[str, str]] | Sequence[tuple[str, str]]) -> str:
    """Return headings of the second level, and what stands below each."""
    return "\n\n".join(f"## {heading}\n\n{text}" for heading, text in parts)


def made(name: str) -> str:
    """Return when and where a snapshot was made."""
    return snapshot(name).notes[0]


def check_counts() -> str:
    """Return how many checks are reached, of how many."""
    rows = snapshot("checks").rows
    reached = sum(row["verdict"] == "reached" for row in rows)
    return f"{len(rows)} checks: {reached} reached, {len(rows) - reached} not reached."


def check_misses() -> str:
    """Return the table of the checks that are not reached."""
    return shown([row for row in snapshot("checks").rows if row["verdict"] != "reached"], ["verdict"])


def check_methods() -> str:
    """Return the table of how many checks each method reaches."""
    counted = sorted(evidence.checks().items())
    rows = [(name, sum(row["verdict"] == "reached" for row in checks), len(checks)) for name, checks in counted]
    return markdown(["method", "reached", "checks"], rows)


def reasons() -> str:
    """Return a section for each reason: a published number, and what variants give."""
    by_name = groups(snapshot("reasons").rows, "name").items()
    return sections(
        [
            (name, f"{rows[0]['source']}: {rows[0]['what']}.\n\n{shown(rows, ['name', 'source', 'what'])}")
            for (name,), rows in by_name
        ]
    )


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


def gaps() -> str:
    """Return a section of gaps for each data set."""
    return sections([(data, shown(rows, ["data"])) for (data,), rows in groups(snapshot("gaps").rows, "data").items()])


def speed() -> str:
    """Return a section for each claim of speed: in how many rows it holds, why not in the others, and the table."""
    return sections([(text[0].upper() + text[1:], _claim(rows)) for text, rows in evidence.speed().items()])


def _claim(rows: Sequence[Row]) -> str:
    marks = Counter(row["mark"] for row in rows).most_common()
    counts = "\n".join(f"- {number} of {len(rows)}: {mark}" for mark, number in marks)
    return f"{counts}\n\n{shown(rows, ['claim'])}"


def published_counts() -> str:
    """Return how many published numbers there are, and the table of verdicts by kind."""
    rows = snapshot("published").rows
    known = Counter((row["kind"], row["verdict"]) for row in rows)
    verdicts = [verdict for verdict in VERDICTS if any(seen == verdict for _, seen in known)]
    kinds = [kind for kind in MEANING if any(seen == kind for seen, _ in known)]
    suites = len({row["suite"] for row in rows})
    cells = [[f"{kind} ({MEANING[kind]})", *(known[kind, verdict] for verdict in verdicts)] for kind in kinds]
    failing = [(row["verdict"], float(row["p"] or "nan")) for row in rows if row["kind"] == "measured"]
    return (
        f"{len(rows)} numbers of {suites} suites; {len(failing)} of them are of a method and can fail.\n\n"
        f"{markdown(['kind', *verdicts], cells)}\n\n"
        f"{by_chance(failing)}"
    )


def published() -> str:
    """Return a section for each published table: its note, its numbers beside ours, and the orders of the methods."""
    orders = groups(snapshot("orders").rows, "suite", "table")
    return sections(
        [
            _block(suite, int(table), rows, orders.get((suite, table), []))
            for (suite, table), rows in groups(snapshot("published").rows, "suite", "table").items()
        ]
    )


def _block(suite: str, table: int, numbers: Sequence[Row], orders: Sequence[Row]) -> tuple[str, str]:
    block = load_suite(suite, load_registry()).suite.published[table - 1]
    tables = [shown(rows, ["suite", "table"]) for rows in (numbers, orders) if rows]
    return f"{suite}: {block.source}", "\n\n".join(filter(None, [" ".join(block.note.split()), *tables]))


PARTS = {
    "checks": {"counts": check_counts, "misses": check_misses, "methods": check_methods},
    "reasons": {"reasons": reasons},
    "optima": {"optima": optima},
    "gaps": {"gaps": gaps},
    "instances": {"made": lambda: made("instances"), "instances": lambda: shown(snapshot("instances").rows)},
    "newer": {"made": lambda: made("newer"), "newer": lambda: shown(snapshot("newer").rows)},
    "speed": {"made": lambda: made("speed"), "speed": speed},
    "published": {"made": lambda: made("published"), "counts": published_counts, "published": published},
}
"""What fills the templates of the pages: the name of each part, and what writes it."""
