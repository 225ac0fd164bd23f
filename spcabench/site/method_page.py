"""The page of a method: what it is, where it wins and loses, and its rows of the tables of the reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from spcabench.analysis.contest import Contest
from spcabench.report.document import DATASET, METHOD, Columns, Entry, Facts, Field, Note, Table, tabled
from spcabench.report.model import Results
from spcabench.report.standings import SURE
from spcabench.report.tasks import Task
from spcabench.site.board import Board
from spcabench.site.pages import Page, about, right, section
from spcabench.specs import MethodSpec


def page(
    label: str,
    path: str,
    board: Board,
    shown: Table | None,
    runs: Sequence[Results],
    reported: Mapping[str, list[Table]],
) -> Page:
    """Return the page of a method.

    Parameters
    ----------
    label, path : str
        Its label, and the place of its page.
    board : Board
        Over all data sets.
    shown : Table, optional
        The leaderboard as the front page shows it.
    runs : sequence of Results
        The runs.
    reported : mapping of str to list of Table
        The tables of the reports.
    """
    cells = [run.frame[run.frame["method"] == label] for run in runs]
    known = (
        run.by_name.get(name) for run, own in zip(runs, cells, strict=True) for name in own["method_name"].unique()
    )
    spec = next(filter(None, known), None)
    stops = {str(stop) for own in cells for stop in own["stop"] if stop}
    sections = (
        section("What it is", _about(spec, sorted(stops))),
        section("On the leaderboard", *about([shown], METHOD, label)),
        section("Where it wins and loses", _places(label, board.tasks)),
        section("Against each other method", _meetings(label, board.contest)),
        section("Results", *about(reported["main"], METHOD, label)),
        section("Seconds, search and stop", *about(reported["timing"], METHOD, label)),
        section("Cells that did not converge", *about(reported["unconverged"], METHOD, label)),
        section("Cells that did not finish", *about(reported["unfinished"], METHOD, label)),
    )
    return Page(path, "method", label, spec.title if spec else "", sections)


def _about(spec: MethodSpec | None, stops: Sequence[str]) -> Facts | Note:
    if spec is None:
        return Note("No plugin that is loaded here has this method.")
    kinds = {"cardinality": "the number of nonzeros", "penalty": "a penalty, which the host searches"}
    knob = f"{spec.knob.parameter}: {kinds.get(spec.knob.kind)}"
    facts = {
        "method": spec.name,
        "family": spec.family,
        "sparsity": knob if spec.knob.kind in kinds else "dense: it has no target",
        "what is sparse": spec.sparse,
        "needs": ", ".join(sorted(spec.requires)),
        "stop": "; ".join(stops),
        "program": spec.estimator,
        "source": spec.reference,
    }
    return Facts("", "", tuple((word, text) for word, text in facts.items() if text))


def _places(label: str, tasks: Sequence[Task]) -> Table | None:
    """Return the table of its ranks on the data sets, the best first."""
    caption = (
        "Its rank on each data set, where it wins first.  Values within the margin of the metric share a rank; "
        "failures come last.  The value is the mean over the targets, of those without a failure."
    )

    def leader(task: Task) -> str:
        return min(task.ranks, key=lambda one: (task.ranks[one], one != label))

    columns: Columns[Task] = (
        (right("rank", "rank"), lambda task: task.ranks[label]),
        (right("of", "of"), lambda task: len(task.ranks)),
        (DATASET, lambda task: task.dataset),
        (Field("track", "track"), lambda task: task.track),
        (Field("column", "by"), lambda task: task.column.heading),
        (right("value", "value"), lambda task: value_of(task, label)),
        (right("best", "best"), lambda task: value_of(task, leader(task))),
        (Field("leader", "by method"), leader),
    )
    mine = [task for task in tasks if label in task.ranks]
    return tabled("", caption, columns, sorted(mine, key=lambda task: task.ranks[label]))


def value_of(task: Task, label: str) -> Entry:
    """Return the value of a method on a data set, in the unit of the column."""
    value = float(task.values.get(label, math.nan))
    if task.seconds:
        return Entry(math.exp(-value), unit="s")
    return Entry(abs(value) if value == 0 else task.sign * value)


def _meetings(label: str, met: Contest | None) -> Table | Note | None:
    """Return the table of a method against each other one, the most wins first."""
    if met is None or label not in met.methods:
        return Note("It does not enter each data set, so nothing is said of pairs over all of them.")
    at = met.methods.index(label)
    won, lost, p = met.wins[at], met.wins[:, at], met.p[at]

    def verdict(other: int) -> str:
        if p[other] > SURE or won[other] == lost[other]:
            return "not told apart"
        return "surely better" if won[other] > lost[other] else "surely worse"

    caption = (
        f"On the {len(met.names)} data sets that all of them enter; seconds do not count.  Values within the margin of "
        "the metric tie, and a failure loses to any result.  p is that of the signed-rank test (Wilcoxon 1945), "
        "adjusted for all pairs of the leaderboard (Holm 1979)."
    )
    columns: Columns[int] = (
        (METHOD, lambda other: met.methods[other]),
        (right("won", "wins"), lambda other: int(won[other])),
        (right("tied", "ties"), lambda other: len(met.names) - int(won[other] + lost[other])),
        (right("lost", "losses"), lambda other: int(lost[other])),
        (right("p", "p"), lambda other: float(p[other])),
        (Field("verdict", "this one is"), verdict),
    )
    others = [other for other in range(len(met.methods)) if other != at]
    return tabled("", caption, columns, sorted(others, key=lambda other: int(lost[other] - won[other])))
