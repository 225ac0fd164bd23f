"""Make reports/speed.csv from a saved run of the speed benchmarks.

::

    pytest tests/perf/test_speed_*.py --benchmark-json=SAVED.json
    python tools/speed.py SAVED.json

Each row has the number of its claim; the claims stand above.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from snapshots import REPORTS, write

sys.path.append(str(Path(__file__).parents[1] / "tests" / "perf"))
from claims import CLAIMS, Claim

COMMAND = "python tools/speed.py"
CSV = REPORTS / "speed.csv"


def rows(number: int, claim: Claim, saved: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows in which a claim was measured, with its mark."""
    for benchmark in saved["benchmarks"]:
        info = benchmark["extra_info"]
        if info.get("claim") == claim.text:
            cells = dict(info["row"])
            yield {"claim": number, "mark": cells.pop(""), **cells}


def main(file: str) -> None:
    """Write the snapshot."""
    saved = json.loads(Path(file).read_text(encoding="utf-8"))
    measured = {one["extra_info"].get("claim") for one in saved["benchmarks"]}
    claims = [claim for claim in CLAIMS if claim.text in measured]
    machine = saved["machine_info"]
    made = f"{machine['cpu']['brand_raw']}, Python {machine['python_version']}, {saved['datetime'][:10]}"
    said = [f"{number}: {claim.text}" for number, claim in enumerate(claims, 1)]
    found = [row for number, claim in enumerate(claims, 1) for row in rows(number, claim, saved)]
    write(CSV, found, [made, *said])


if __name__ == "__main__":
    main(sys.argv[1])
