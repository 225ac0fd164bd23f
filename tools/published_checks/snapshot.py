"""Checks as rows of text: what a snapshot holds of them, and how today differs from it."""

from __future__ import annotations

from dataclasses import dataclass

from published_checks.claims import Check


@dataclass(frozen=True)
class Row:
    """A check and what it reached, as text; the columns of the CSV."""

    section: str
    method: str
    check: str
    source: str
    expected: str
    reached: str
    verdict: str
    reason: str

    @property
    def name(self) -> str:
        """The claim in one line."""
        return f"{self.section} {self.method}: {self.check} ({self.source})"


def computed(check: Check) -> Row:
    """Compute a check."""
    reached = check.expected.written(check.reached)
    expected = str(check.expected)
    return Row(check.section, check.method, check.what, check.source, expected, reached, check.verdict, check.reason)


def unexplained(row: Row) -> str:
    """Describe a miss without a reason, or a reason without a miss; empty if there is neither."""
    if row.verdict == "not reached" and not row.reason:
        return f"no reason for a miss: {row.name}: expected {row.expected}, reached {row.reached}"
    if row.verdict == "reached" and row.reason:
        return f"a reason without a miss: {row.name}: expected {row.expected}, reached {row.reached}: {row.reason}"
    return ""


def changed(held: Row, now: Row) -> str:
    """Describe how a verdict differs from the snapshot; empty if it does not."""
    if now.verdict == held.verdict:
        return ""
    what = "a match is new" if now.verdict == "reached" else "a match is lost"
    numbers = f"expected {held.expected}, the snapshot reached {held.reached}, now {now.reached}"
    return f"{what}: {held.name}: {numbers}"
