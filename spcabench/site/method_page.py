"""The page of a method: what it is, where it wins and loses, its records."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from spcabench.report.document import DATASET, Columns, Entry, Facts, Field, Note, Row, Table, tabled
from spcabench.report.model import Results
from spcabench.site import convergence, meetings
from spcabench.site.board import Board
from spcabench.site.convergence import Endings
from spcabench.site.meetings import Meeting
from spcabench.site.pages import Page, Part, Section
from spcabench.site.ranks import ranked
from spcabench.site.report_rows import of_method, records
from spcabench.site.scores import CLIP, Score
from spcabench.site.tasks import Task
from spcabench.specs import MethodSpec
from spcabench.suite.models import TrackName


def page(
    label: str,
    path: str,
    board: Board,
    runs: Sequence[Results],
    mains: Sequence[Table | None],
    met: Sequence[Meeting],
    ended: Endings,
) -> Page:
    """Return the page of a method.

    Parameters
    ----------
    label, path : str
        Its label, and the place of its page.
    board : Board
        Over all data sets.
    runs : sequence of Results
        The runs.
    mains : sequence of Table or None
        The main tables of reports.
    met : sequence of Meeting
        How it did against each other method.
    ended : Endings
        How the fits of all methods ended.
    """
    spec = _spec(label, runs)
    sections = (
        Section("What it is", tuple(_about(label, spec, runs))),
        Section("Scores", tuple(filter(None, [_scores(label, board)]))),
        Section("Where it wins and loses", tuple(_places(label, board.tasks))),
        Section("Convergence", tuple(convergence.parts(label, ended, board.controls.panel))),
        Section("Against each other method", tuple(filter(None, [meetings.table(met)]))),
        Section("Results", tuple(table for main in mains for table in of_method(main, label))),
        Section("Records", tuple(table for results in runs if (table := records(results, label)))),
    )
    lead = spec.title if spec else ""
    return Page(path, "method", label, lead, tuple(section for section in sections if section.parts))


def _spec(label: str, runs: Sequence[Results]) -> MethodSpec | None:
    for results in runs:
        names = results.frame.loc[results.frame["method"] == label, "method_name"].unique()
        for name in names:
            if name in results.by_name:
                return results.by_name[name]
    return None


def _about(label: str, spec: MethodSpec | None, runs: Sequence[Results]) -> Iterator[Part]:
    if spec is None:
        yield Note("No plugin that is loaded here has this method.")
        return
    stops = {str(stop) for run in runs for stop in run.frame.loc[run.frame["method"] == label, "stop"] if stop}
    facts = {
        "method": spec.name,
        "family": spec.family,
        "sparsity": _knob(spec),
        "what is sparse": spec.sparse,
        "needs": ", ".join(sorted(spec.requires)),
        "stop": "; ".join(sorted(stops)),
        "program": spec.estimator,
        "source": spec.reference,
    }
    yield Facts("", "", tuple((word, text) for word, text in facts.items() if text))


def _knob(spec: MethodSpec) -> str:
    if spec.knob.kind == "none":
        return "dense: it has no target"
    said = "the number of nonzeros" if spec.knob.kind == "cardinality" else "a penalty, which the host searches"
    return f"{spec.knob.parameter}: {said}"


def _scores(label: str, board: Board) -> Table | None:
    row = next(row for row in board.rows if row.method == label)
    columns: Columns[TrackName] = (
        (Field("track", "track"), lambda track: Entry(track)),
        (
            Field("score", "points", numeric=True),
            lambda track: Entry(row.scores[track].value if track in row.scores else None),
        ),
        (
            Field("low", "from", numeric=True),
            lambda track: Entry(_finite(row.scores[track].interval.low) if track in row.scores else None),
        ),
        (
            Field("high", "to", numeric=True),
            lambda track: Entry(_finite(row.scores[track].interval.high) if track in row.scores else None),
        ),
        (
            Field("n", "data sets", numeric=True),
            lambda track: Entry(row.scores[track].n, planned=row.scores[track].of) if track in row.scores else Entry(0),
        ),
        (
            Field("clipped", "targets held to an end", numeric=True),
            lambda track: _clipped(row.scores[track]) if track in row.scores else Entry(0),
        ),
        (Field("outside", "cannot enter, since"), lambda track: Entry(row.outside.get(track))),
    )
    caption = (
        "From, to: 95 % interval of the mean over data sets.  The front page says how each track is scored, and how "
        "many points the best known values have.  Not all data sets are of one kind, so the interval holds for data "
        f"like these.  The points of a target are held to {CLIP[0]:g} and {CLIP[1]:g}."
    )
    return tabled("", caption, columns, list(board.scales), lambda track, entries: Row(entries))


def _clipped(score: Score) -> Entry:
    return Entry(score.clipped, planned=score.targets)


def _finite(value: float) -> float:
    return value if math.isfinite(value) else math.nan


def _places(label: str, tasks: Sequence[Task]) -> Iterator[Table]:
    """Yield the table of its ranks on the data sets, the best first."""
    here = [(task, ranked(task)) for task in tasks]
    mine = sorted(((task, found) for task, found in here if label in found), key=lambda one: one[1][label])
    columns: Columns[tuple[Task, dict[str, float]]] = (
        (Field("rank", "rank", numeric=True), lambda one: Entry(one[1][label])),
        (Field("of", "of", numeric=True), lambda one: Entry(len(one[1]))),
        (DATASET, lambda one: Entry(one[0].dataset)),
        (Field("track", "track"), lambda one: Entry(one[0].track)),
        (Field("column", "by"), lambda one: Entry(one[0].column.heading)),
        (Field("value", "value", numeric=True), lambda one: value_of(one[0], label)),
        (Field("best", "best", numeric=True), lambda one: value_of(one[0], _leader(one[1], label))),
        (Field("leader", "by method"), lambda one: Entry(_leader(one[1], label))),
    )
    caption = (
        "Its rank on each data set, where it wins first.  Values within the margin of the metric share a rank; "
        "failures come last.  The value is the mean over the targets, of those without a failure."
    )
    if found := tabled("", caption, columns, mine, lambda one, entries: Row(entries)):
        yield found


def _leader(found: dict[str, float], label: str) -> str:
    """Return the method with the best rank: the one of the page, if it shares that."""
    best = min(found.values())
    return label if found[label] == best else next(one for one, rank in found.items() if rank == best)


def value_of(task: Task, label: str) -> Entry:
    """Return the value of a method on a data set, in the unit of the column."""
    value = task.values.get(label, math.nan)
    if task.column.unit == "s":
        return Entry(math.exp(-value), unit="s")
    return Entry(abs(value) if value == 0 else task.sign * value)
