"""Make a Markdown page from a saved run of the speed benchmarks: ``python tests/perf/table.py SAVED.json``."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from claims import CLAIMS, Claim
from tabulate import tabulate

HEAD = """# Speed

Ratios of CPU times on one thread, and of two threads by the clock on the wall; both sides of a ratio are measured one
after the other in one process of `pytest tests/perf/test_speed_*.py`.  Of a claim that something is faster, the ratio
is how many times.  The benchmarks fail where a claim does not hold, but for the exceptions that are listed.  Beside
SparsePCA they fail where ours is slower; what a row shows depends on its counts and its explained variance too."""


def section(claim: Claim, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return one claim as a table, the mark of each row last, with how often each is there and the known exceptions."""
    table = tabulate(rows, headers="keys", tablefmt="github", missingval="")
    title = f"## {claim.text[0].upper()}{claim.text[1:]}"
    return "\n\n".join(filter(None, [title, headline(claim, [row[""] for row in rows]), exceptions(claim), table]))


def headline(claim: Claim, marks: Sequence[str]) -> str:
    """Return how many rows there are of each class, or in how many the claim holds."""
    if not claim.beside:
        return f"Holds in {marks.count('holds')} of {len(marks)} rows."
    classes = "\n".join(f"- {number} {mark}" for mark, number in Counter(marks).most_common())
    return f"Of {len(marks)} rows (counts are of all components together):\n\n{classes}"


def exceptions(claim: Claim) -> str:
    """Return the known exceptions as a list."""
    return "\n".join(f"- {row}: {known.ratio}; {known.reason}." for row, known in claim.exceptions.items())


def page(saved: dict[str, Any]) -> str:
    """Return the claims that were measured, in the order in which they are declared."""
    measured: dict[str, list[dict[str, Any]]] = {}
    for benchmark in saved["benchmarks"]:
        info = benchmark["extra_info"]
        measured.setdefault(info.get("claim", ""), []).append(info.get("row", {}))
    machine = saved["machine_info"]
    where = f"{machine['cpu']['brand_raw']}, Python {machine['python_version']}, {saved['datetime'][:10]}."
    sections = [section(claim, measured[claim.text]) for claim in CLAIMS if claim.text in measured]
    return "\n\n".join([HEAD, where, *sections])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/perf/table.py SAVED.json")
    print(page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
