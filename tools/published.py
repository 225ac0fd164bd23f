"""Make reports/published.csv and reports/claims.csv from finished runs, all at one scale.

::

    spcabench run published
    python tools/published.py

The first command runs the suites with published numbers or claims into `reports`, where the second finds them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from snapshots import REPORTS, Row, write

from spcabench.cli.run_verbs import published_suites
from spcabench.plugins import load_registry
from spcabench.report.find_run import existing_run, gathered
from spcabench.report.model import Results
from spcabench.report.papers import judged_claims
from spcabench.report.published import Pair, judged_together

NUMBERS, CLAIMS = REPORTS / "published.csv", REPORTS / "claims.csv"


def finished(folder: Path = REPORTS) -> list[Results]:
    """Return the runs of the suites that have published numbers or claims, in the order of their names."""
    registry = load_registry()
    places = [str(folder / suite.run_name) for suite in published_suites(registry)]
    return [gathered(*existing_run(place, registry), registry) for place in places]


def numbers(runs: Sequence[Results], found: Sequence[Pair]) -> Iterator[Row]:
    """Yield the numbers; a table is that of its place among the tables of its suite, from 1."""
    for run in runs:
        for place, block in enumerate(run.suite.published, 1):
            for one in found:
                if one.block is block:
                    yield {"suite": run.suite.name, "table": str(place), **number(one)}


def number(pair: Pair) -> Row:
    """Return a published number, what was measured for it, and the reason if it is not reached."""
    missed = f" ({pair.n_missed} missed the target)" if pair.n_missed else ""
    seeds = str(len(pair.draws)) + (f" of {pair.planned}{missed}" if len(pair.draws) < pair.planned else "")
    return {
        "dataset": pair.dataset,
        "n_nonzero": str(pair.level),
        "method": pair.method,
        "metric": pair.column.name,
        "published": f"{pair.published:.4g}",
        "measured": _digits(pair.measured.mean),
        "sd": _digits(pair.measured.sd),
        "seeds": seeds,
        "p": _digits(pair.p),
        "kind": pair.kind,
        "verdict": pair.verdict,
        "why": pair.why,
        "reason": " ".join(pair.row.reason.split()) if pair.verdict != "reproduced" else "",
    }


def claims(runs: Sequence[Results]) -> Iterator[Row]:
    """Yield what the runs say of the claims of their suites."""
    for run in runs:
        for one in judged_claims(run):
            yield {"suite": run.suite.name, "claim": one.claim.name, "verdict": one.verdict, "ours": one.ours}


def _digits(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else ""


def main() -> None:
    """Write both snapshots."""
    runs = finished()
    found = judged_together(runs)
    days = sorted(day for run in runs for day in run.dates)
    notes = [f"{runs[0].about.form}, fitted on {' to '.join(dict.fromkeys((days[0], days[-1])))}"]
    write(NUMBERS, numbers(runs, found), notes)
    write(CLAIMS, claims(runs), notes)


if __name__ == "__main__":
    main()
