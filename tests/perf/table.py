"""Make a Markdown page from a saved run of the speed benchmarks: ``python tests/perf/table.py SAVED.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from claims import CLAIMS, Claim
from tabulate import tabulate

MARK = {True: "holds", False: "does not hold"}
HEAD = """# Speed

Ratios of CPU times on one thread, measured side by side in one run of `pytest tests/perf/test_speed_*.py`.  Of a claim
that something is faster, the ratio is how many times.  The benchmarks fail where a claim does not hold, but for the
exceptions that are listed."""


def section(claim: Claim, benchmarks: list[dict[str, Any]]) -> str:
    """Return one claim as a table, each row with a mark, and its known exceptions."""
    rows = [{**b["extra_info"]["row"], "": MARK[b["extra_info"]["holds"]]} for b in benchmarks]
    held = sum(b["extra_info"]["holds"] for b in benchmarks)
    table = tabulate(rows, headers="keys", tablefmt="github", missingval="")
    title = f"## {claim.text[0].upper()}{claim.text[1:]}"
    return "\n\n".join(filter(None, [title, f"Holds in {held} of {len(rows)} rows.", exceptions(claim), table]))


def exceptions(claim: Claim) -> str:
    """Return the known exceptions as a list."""
    return "\n".join(f"- {row}: {known.ratio}; {known.reason}." for row, known in claim.exceptions.items())


def page(saved: dict[str, Any]) -> str:
    """Return the claims that were measured, in the order in which they are declared."""
    measured: dict[str, list[dict[str, Any]]] = {}
    for benchmark in saved["benchmarks"]:
        measured.setdefault(benchmark["extra_info"].get("claim", ""), []).append(benchmark)
    machine = saved["machine_info"]
    where = f"{machine['cpu']['brand_raw']}, Python {machine['python_version']}, {saved['datetime'][:10]}."
    sections = [section(claim, measured[claim.text]) for claim in CLAIMS if claim.text in measured]
    return "\n\n".join([HEAD, where, *sections])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/perf/table.py SAVED.json")
    print(page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
