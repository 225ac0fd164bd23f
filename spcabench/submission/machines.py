"""Times of two machines, by the reference fits of both."""

from __future__ import annotations

from spcabench.store.about import About

KIND = ("CPU", "cores")


def same_machine(one: About, other: About) -> bool:
    """Return whether two machines are of one kind, so that their times compare as they are."""
    return all(one.environment.get(name) == other.environment.get(name) for name in KIND)


def factor(theirs: About, ours: About) -> float:
    """Return the seconds of our machine for one second of theirs: the ratio of the reference fits.

    On a machine of the same kind it is 1, and where a reference fit was not timed.
    """
    if same_machine(theirs, ours) or theirs.reference is None or ours.reference is None:
        return 1.0
    return ours.reference / theirs.reference


def noted(value: float) -> str:
    """Return what tables say beside a method whose times are multiplied by a factor; empty if they are not."""
    return "" if value == 1 else f"fitted on another machine; times are multiplied by {value:.3g}"
