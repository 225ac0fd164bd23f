"""The Python that makes the winners of a report."""

from __future__ import annotations

from collections.abc import Iterable

from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.ranking import Win
from spcabench.suite.calls import call_of_fit

MOST_CALLS = 5
"""The summary has the calls of so many winners."""


def call_of_group(results: Results, group: Group) -> str:
    """Return the call that makes the estimator of a group; empty where its method is not known by name.

    The penalty of a method that searched one is that of the first seed that counts.
    """
    cells = group.measured
    record = results.folder.record(str(cells["key"].iloc[0])) if len(cells) else None
    spec = results.by_name.get(str(group.rows["method_name"].iloc[0]))
    if record is None or spec is None:
        return ""
    level = record.cell["n_nonzero"]
    return call_of_fit(spec, record.cell["params"], group.n_components, level, record.fit.found)


def calls_of_winners(results: Results, wins: Iterable[Win]) -> list[str]:
    """Return the calls of the first winners, each once."""
    groups = {(group.dataset, group.n_components, group.level, group.method): group for group in results.groups}
    leaders = (groups[win.track.dataset, win.track.n_components, win.track.level, win.methods[0]] for win in wins)
    first: list[str] = []
    for group in leaders:
        if len(first) < MOST_CALLS and (call := call_of_group(results, group)) and call not in first:
            first.append(call)
    return first
