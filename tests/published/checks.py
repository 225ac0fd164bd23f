"""Every check of the specification beside the value reached now, as Markdown.

The command that makes reports/checks.md::

    python tests/published/checks.py > reports/checks.md
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from published_checks import all_checks
from published_checks.claims import Check
from tabulate import tabulate

COLUMNS = ("section", "method", "check", "source", "expected", "reached", "verdict", "reason")

HEAD = """# Checks of the specification

Every check of the specification that has a number or a definite claim, published or computed independently, and the
value that the methods of this package reach.  `python tests/published/checks.py > reports/checks.md` makes this page
again; a test computes all of it and holds it true.  What takes images or genes is in [published.md](published.md).

Sections are those of the specification that the methods were written from: numbers for methods, letters for the
experiments of the papers.  Features are counted from 1.  A difference that is claimed to be nothing is expected to be
no larger than rounding makes it; of random data, where the draw is not known, the tolerance is that of the draw.

"""


def row(check: Check) -> list[str]:
    """Return the cells of one check."""
    reached = check.expected.written(check.reached)
    cells = [check.section, check.method, check.what, check.source, str(check.expected), reached]
    return [cell.replace("|", "\\|") for cell in (*cells, check.verdict, check.reason)]


def page(checks: Sequence[Check]) -> str:
    """Return the whole page."""
    verdicts = Counter(check.verdict for check in checks)
    summary = f"{len(checks)} checks: {verdicts['reached']} reached, {verdicts['not reached']} not reached.\n\n"
    table = tabulate([row(check) for check in checks], COLUMNS, tablefmt="pipe", disable_numparse=True)
    return f"{HEAD}{summary}{table}\n"


if __name__ == "__main__":
    print(page(all_checks()), end="")
