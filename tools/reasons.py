"""Compute why a published number is not reached, and remake reports/reasons.csv.

::

    python tools/reasons.py NAME ...
    python tools/reasons.py

With names it prints what variants of the algorithm, or of the count, give beside the published number.  Without names
it computes all of them, in some minutes, and writes the snapshot.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from published_reasons import all_reasons
from published_reasons.registry import Reason
from snapshots import REPORTS, Row, write
from threadpoolctl import threadpool_limits

COMMAND = "python tools/reasons.py"
CSV = REPORTS / "reasons.csv"
SLOW = (
    "order_of_seconds",
    "digits_among_draws",
    "half_thresholds",
    "one_nonzero",
    "printed_supports",
    "orders_pitprops",
)
"""Reasons of a minute or more."""


def cited(text: str) -> set[str]:
    """Return the reasons that a text says are computed by this program."""
    return set(re.findall(r"reasons\.py\s+(\w+)", text))


def rows(reason: Reason) -> Iterator[Row]:
    """Compute a reason and yield its rows, the first of which has the published number."""
    yield {
        "name": reason.name,
        "source": reason.source,
        "what": reason.what,
        "variant": "published",
        "number": reason.published,
    }
    for variant in reason.compute():
        yield {"name": reason.name, "source": "", "what": "", "variant": variant.how, "number": variant.reached}


def main(names: Sequence[str], path: Path = CSV) -> None:
    """Print the numbers of these names, or write those of all."""
    reasons = all_reasons()
    if unknown := [name for name in names if name not in reasons]:
        sys.exit(f"no reason is named {', '.join(unknown)}; valid are {', '.join(reasons)}")
    for name in names:
        print(f"{name}: {reasons[name].source}: {reasons[name].what}")
        print(*(f"  {row['variant']}: {row['number']}" for row in rows(reasons[name])), sep="\n")
    if not names:
        write(path, [row for reason in reasons.values() for row in rows(reason)])


if __name__ == "__main__":
    with threadpool_limits(1):  # counts of iterations to the last bit follow from the threads
        main(sys.argv[1:])
