"""What a published number can show: which of them can fail."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.report.groups import Group
from spcabench.suite.columns import Column
from spcabench.suite.published import NumberKind, Published, PublishedRow

MEANING: dict[NumberKind, str] = {
    "measured": "of a method; it can fail",
    "dense reference": "of a method that is dense by nature",
    "by construction": "a definition or the target fixes it",
    "time": "of another machine: only the order of the methods counts",
    "not published": "of no paper; it is set beside ours",
    "other data": "published, beside ours of other data",
    "another method": "published of a method that ours is not, beside ours",
}
"""The kinds in the order of the page, each with what it means."""


def kind_of(block: Published, row: PublishedRow, column: Column, counts: bool, groups: Sequence[Group]) -> NumberKind:
    """Return the kind of a number: what the row says, or else the block, or else the rule.

    The rule: seconds are times.  A number of nonzeros is by construction if the method sets its target directly, or
    is dense by nature.  Any other number of a method that is dense by nature is a dense reference.  All else is
    measured.

    Parameters
    ----------
    column : Column
        Of the number.
    counts : bool
        Whether its metric counts nonzeros.
    groups : sequence of Group
        What was measured for it, by one method.
    """
    if said := row.kind or block.kind:
        return said
    if column.unit == "s":
        return "time"
    dense = any(group.knob == "none" for group in groups)
    direct = any(group.knob == "cardinality" and group.level for group in groups)
    if counts and (dense or direct):
        return "by construction"
    return "dense reference" if dense else "measured"
