"""Which methods can enter a comparison at an equal number of nonzeros in each component, and why the others cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spcabench.report.groups import Group
from spcabench.report.tracks import track_of
from spcabench.store.status import PENDING

WAITING = {PENDING, "interrupted"}
"""Statuses of cells that may yet be filled."""

ABSENT = {"skipped", "unavailable"}
"""Statuses of cells that a method cannot enter."""


def why_outside(groups: Iterable[Group | None]) -> str:
    """Return why a method cannot enter; empty if it can.  A failure is an answer: it enters, and is the worst.

    Parameters
    ----------
    groups : iterable of Group or None
        What it reached at each target of the comparison.
    """
    return next(filter(None, map(_why, groups)), "")


def _why(group: Group | None) -> str:
    if group is None:
        return "it does not take a number of nonzeros"
    if group.statuses.keys() & WAITING:
        return "it is not finished yet"
    if group.statuses.keys() & ABSENT:
        return next(filter(None, map(str, group.cells("reason"))), group.status)
    track = track_of(group)
    if group.level and track is not None and track.kind != "each":
        return "it reaches its nonzeros only in total"
    return ""


def waits(groups: Iterable[Group]) -> bool:
    """Return whether a cell of some groups may yet be filled, so that nothing can be said of which is the best."""
    return any(group.statuses.keys() & WAITING for group in groups)


def is_of(group: Group, entry: str) -> bool:
    """Return whether a group is of an entry of the suite: of that data set, or of a variant of its grid."""
    return group.suite_dataset == entry or group.suite_dataset.startswith(f"{entry}(")


def entry_of(group: Group, entries: Iterable[str]) -> str:
    """Return the entry of the suite that a data set comes from; the data set itself if it is of none."""
    return next((entry for entry in entries if is_of(group, entry)), group.suite_dataset)


def by_reason(outside: Mapping[str, str]) -> str:
    """List methods by the reason why they cannot enter.

    Examples
    --------
    >>> by_reason({"a": "it needs samples", "b": "it is not finished yet", "c": "it needs samples"})
    'a, c (it needs samples); b (it is not finished yet)'
    """
    found: dict[str, list[str]] = {}
    for label, reason in outside.items():
        found.setdefault(reason, []).append(label)
    return "; ".join(f"{', '.join(labels)} ({reason})" for reason, labels in found.items())
