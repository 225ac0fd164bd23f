"""The command that computes why a published number is not reached, and remakes reports/reasons.md.

::

    python tests/published/reasons.py NAME ...
    python tests/published/reasons.py

With names it prints what variants of the algorithm, or of the count, give beside the published number.  Without names
it computes all of them, in some minutes, and writes the page.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from checks import table
from published_reasons import all_reasons
from published_reasons.registry import Reason

COMMAND = "python tests/published/reasons.py"
PAGE = Path(__file__).parents[2] / "reports" / "reasons.md"

HEAD = f"""# Reasons, computed

Each section has a number of a paper that a method of this package does not reach, and what variants of the algorithm,
of the measure or of the count give.  `{COMMAND} NAME` computes a section; without a name it makes this page.
"""


def section(reason: Reason) -> str:
    """Compute a reason and return its section of the page."""
    rows = [("published", reason.published), *((variant.how, variant.reached) for variant in reason.compute())]
    return f"## {reason.name}\n\n{reason.source}: {reason.what}.\n\n{table(('variant', 'number'), rows)}\n"


def main(names: Sequence[str], path: Path = PAGE) -> None:
    """Print the sections of these names, or write the page of all."""
    reasons = all_reasons()
    if unknown := [name for name in names if name not in reasons]:
        sys.exit(f"no reason is named {', '.join(unknown)}; valid are {', '.join(reasons)}")
    if names:
        print(*(section(reasons[name]) for name in names), sep="\n")
    else:
        path.write_text("\n".join([HEAD, *map(section, reasons.values())]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
