"""The command that computes every check and remakes reports/checks.csv and reports/checks.md.

::

    python tests/published/checks.py

The CSV has all checks and is the snapshot that the tests compare with; the page has the counts and the misses.  The
command prints each match that is new or lost.  It writes nothing if a miss has no reason, or a reason no miss.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from published_checks import all_checks
from published_checks.snapshot import Row, changed, computed, unexplained
from rows import read, write

COMMAND = "python tests/published/checks.py"
CSV = Path(__file__).parents[2] / "reports" / "checks.csv"

HEAD = f"""# Checks of the specification

A check is a number or a definite claim, published or computed independently, with the value that a method of this
package reaches.  This page has the counts and the misses; [checks.csv](checks.csv) has all checks.
`{COMMAND}` makes both again.  The tests compute the checks and fail if a match is lost: some of them
in `pytest`, the others in `pytest -m nightly`.  Numbers that take images or genes are in [published.md](published.md).

Sections are those of the specification that the methods were written from: numbers for methods, `exact` for proofs of
optimality, letters for the experiments of the papers.  Features are counted from 1.
"""


def line(cells: Iterable[object]) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    return "\n".join([line(columns), line("---" for _ in columns), *map(line, rows)])


def page(rows: Sequence[Row]) -> str:
    """Return the page that belongs to a snapshot."""
    misses = [row for row in rows if row.verdict == "not reached"]
    methods: dict[str, list[bool]] = {}
    for row in rows:
        methods.setdefault(row.method, []).append(row.verdict == "reached")
    counted = sorted(methods.items())
    columns = ("section", "method", "check", "source", "expected", "reached", "reason")
    return "\n".join(
        [
            HEAD,
            f"{len(rows)} checks: {len(rows) - len(misses)} reached, {len(misses)} not reached.\n",
            "## Misses\n",
            table(columns, ([getattr(row, column) for column in columns] for row in misses)),
            "\n## Methods\n",
            table(("method", "reached", "checks"), ((name, sum(has), len(has)) for name, has in counted)),
            "",
        ]
    )


def main(path: Path = CSV) -> None:
    """Compute, compare with the snapshot, and write it and its page."""
    rows = [computed(check) for check in all_checks()]
    if faults := [fault for row in rows if (fault := unexplained(row))]:
        sys.exit("\n".join([*faults, "nothing is written"]))
    held = {(row.name, row.expected): row for row in read(Row, path)} if path.exists() else {}
    for row in rows:
        if change := changed(held.get((row.name, row.expected), row), row):
            print(change)
    write(rows, path)
    path.with_suffix(".md").write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
