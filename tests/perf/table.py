"""Make a Markdown page from a saved run of the speed benchmarks: ``python tests/perf/table.py SAVED.json``."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from tabulate import tabulate

MARK = {True: "holds", False: "does not hold"}
HEAD = """# Speed

Ratios of CPU times on one thread, measured side by side in one run of `pytest tests/perf/test_speed_*.py`.  Of a claim
that something is faster, the ratio is how many times."""


def claim(benchmark: dict[str, Any]) -> str:
    return benchmark["extra_info"].get("claim", "")


def section(title: str, benchmarks: list[dict[str, Any]]) -> str:
    """Return one claim as a table, each row with a mark."""
    rows = [{**b["extra_info"]["row"], "": MARK[b["extra_info"]["holds"]]} for b in benchmarks]
    held = sum(b["extra_info"]["holds"] for b in benchmarks)
    table = tabulate(rows, headers="keys", tablefmt="github", missingval="")
    return f"## {title[0].upper()}{title[1:]}\n\nHolds in {held} of {len(rows)} rows.\n\n{table}"


def page(saved: dict[str, Any]) -> str:
    """Return all claims, in the order of the run."""
    rows = [b for b in saved["benchmarks"] if claim(b)]
    order = list(dict.fromkeys(map(claim, rows)))
    grouped = groupby(sorted(rows, key=lambda b: order.index(claim(b))), key=claim)
    machine = saved["machine_info"]
    where = f"{machine['cpu']['brand_raw']}, Python {machine['python_version']}, {saved['datetime'][:10]}."
    return "\n\n".join([HEAD, where, *(section(title, list(group)) for title, group in grouped)])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/perf/table.py SAVED.json")
    print(page(json.loads(Path(sys.argv[1]).read_text())))
