"""Compute every check of the specification and remake reports/checks.csv.

::

    python tools/checks.py

It prints each match that is new or lost, and writes nothing if a miss has no reason, or a reason no miss.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

from published_checks import all_checks
from published_checks.snapshot import Row, changed, computed, unexplained
from snapshots import REPORTS, read, write

COMMAND = "python tools/checks.py"
CSV = REPORTS / "checks.csv"


def held(path: Path = CSV) -> list[Row]:
    """Return what the snapshot holds."""
    return [Row(**row) for row in read(path).rows]


def main(path: Path = CSV) -> None:
    """Compute, compare with the snapshot, and write it."""
    rows = [computed(check) for check in all_checks()]
    if faults := [fault for row in rows if (fault := unexplained(row))]:
        sys.exit("\n".join([*faults, "nothing is written"]))
    before = {(row.name, row.expected): row for row in held(path)} if path.exists() else {}
    for row in rows:
        if change := changed(before.get((row.name, row.expected), row), row):
            print(change)
    write(path, map(asdict, rows))


if __name__ == "__main__":
    main()
