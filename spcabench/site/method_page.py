"""The page of a method: what it is, where it wins and loses, its records."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

from spcabench.report.document import (
    COMPONENTS,
    DATASET,
    LEVEL,
    METHOD,
    MOST_ROWS,
    Entry,
    Facts,
    Field,
    Note,
    Table,
    Value,
)
from spcabench.report.model import COSTS, Results
from spcabench.site import convergence
from spcabench.site.board import Board
from spcabench.site.pages import Page, about, right, section, table
from spcabench.site.ranks import Meeting, ranked
from spcabench.site.scores import CLIP
from spcabench.site.tasks import Task
from spcabench.specs import MethodSpec
from spcabench.store.status import PENDING

SECONDS = COSTS["total_time"].name


def page(
    label: str,
    path: str,
    board: Board,
    runs: Sequence[Results],
    mains: Sequence[Table | None],
    met: Sequence[Meeting],
    ended: pd.DataFrame,
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
    ended : DataFrame
        How the fits of all methods ended.
    """
    spec = _spec(label, runs)
    sections = (
        section("What it is", _about(label, spec, runs)),
        section("Scores", *_scores(label, board)),
        section("Where it wins and loses", *_places(label, board.tasks)),
        section("Convergence", *convergence.parts(label, ended, board.controls.panel)),
        section("Against each other method", *_meetings(met)),
        section("Results", *about(mains, METHOD, label)),
        section("Records", *(one for results in runs for one in records(results, label))),
    )
    return Page(path, "method", label, spec.title if spec else "", sections)


def _spec(label: str, runs: Sequence[Results]) -> MethodSpec | None:
    names = [
        (results, name)
        for results in runs
        for name in results.frame.loc[results.frame["method"] == label, "method_name"].unique()
    ]
    return next((results.by_name[name] for results, name in names if name in results.by_name), None)


def _about(label: str, spec: MethodSpec | None, runs: Sequence[Results]) -> Facts | Note:
    if spec is None:
        return Note("No plugin that is loaded here has this method.")
    stops = {str(stop) for run in runs for stop in run.frame.loc[run.frame["method"] == label, "stop"] if stop}
    kinds = {"cardinality": "the number of nonzeros", "penalty": "a penalty, which the host searches"}
    knob = f"{spec.knob.parameter}: {kinds.get(spec.knob.kind)}"
    facts = {
        "method": spec.name,
        "family": spec.family,
        "sparsity": knob if spec.knob.kind in kinds else "dense: it has no target",
        "what is sparse": spec.sparse,
        "needs": ", ".join(sorted(spec.requires)),
        "stop": "; ".join(sorted(stops)),
        "program": spec.estimator,
        "source": spec.reference,
    }
    return Facts("", "", tuple((word, text) for word, text in facts.items() if text))


def _scores(label: str, board: Board) -> tuple[Table, ...]:
    row = next(row for row in board.rows if row.method == label)
    caption = (
        "From, to: 95 % interval of the mean over data sets.  The front page says how each track is scored, and how "
        "many points the best known values have.  Not all data sets are of one kind, so the interval holds for data "
        f"like these.  The points of a target are held to {CLIP[0]:g} and {CLIP[1]:g}."
    )
    fields = (
        Field("track", "track"),
        right("score", "points"),
        right("low", "from"),
        right("high", "to"),
        right("n", "data sets"),
        right("clipped", "targets held to an end"),
        Field("outside", "cannot enter, since"),
    )
    rows: list[tuple[Entry | Value, ...]] = []
    for track in board.scales:
        score = row.scores.get(track)
        if score is None:
            rows.append((track, None, None, None, 0, 0, row.outside[track]))
            continue
        ends = (end if math.isfinite(end) else None for end in (score.interval.low, score.interval.high))
        counts = Entry(score.n, planned=score.of), Entry(score.clipped, planned=score.targets)
        rows.append((track, score.value, *ends, *counts, None))
    return table(caption, fields, rows)


def _places(label: str, tasks: Sequence[Task]) -> tuple[Table, ...]:
    """Return the table of its ranks on the data sets, the best first."""
    here = ((task, ranked(task)) for task in tasks)
    mine = sorted(((task, found) for task, found in here if label in found), key=lambda one: one[1][label])
    caption = (
        "Its rank on each data set, where it wins first.  Values within the margin of the metric share a rank; "
        "failures come last.  The value is the mean over the targets, of those without a failure."
    )
    fields = (
        *(right("rank", "rank"), right("of", "of"), DATASET, Field("track", "track"), Field("column", "by")),
        *(right("value", "value"), right("best", "best"), Field("leader", "by method")),
    )
    rows = []
    for task, found in mine:
        leader = min(found, key=lambda one: (found[one], one != label))
        about_it = (found[label], len(found), task.dataset, task.track, task.column.heading)
        rows.append((*about_it, value_of(task, label), value_of(task, leader), leader))
    return table(caption, fields, rows)


def value_of(task: Task, label: str) -> Entry:
    """Return the value of a method on a data set, in the unit of the column."""
    value = float(task.values.get(label, math.nan))
    if task.column.unit == "s":
        return Entry(math.exp(-value), unit="s")
    return Entry(abs(value) if value == 0 else task.sign * value)


def _meetings(several: Sequence[Meeting]) -> tuple[Table, ...]:
    """Return the table of a method against each other one."""
    caption = (
        "On the data sets that both enter; seconds do not count.  Values within the margin of the metric tie, and a "
        "failure loses to any result.  p is that of the signed-rank test (Wilcoxon 1945), adjusted for the rows of "
        "this table (Holm 1979)."
    )
    fields = (
        *(METHOD, right("won", "wins"), right("tied", "ties"), right("lost", "losses"), right("p", "p")),
        Field("verdict", "this one is"),
    )
    return table(caption, fields, ((one.other, one.won, one.tied, one.lost, one.p, one.verdict) for one in several))


def records(results: Results, method: str) -> tuple[Table, ...]:
    """Return the records of a method; the name of the run is in the caption."""
    frame = results.frame[(results.frame["method"] == method) & (results.frame["status"] != PENDING)]
    more = f" The first {MOST_ROWS} of {len(frame)}." if len(frame) > MOST_ROWS else ""
    caption = f"Records of the run {results.folder.path.name}; its page has them all as CSV.{more}"
    fields = (
        *(DATASET, COMPONENTS, LEVEL, right("seed", "seed"), Field("status", "status")),
        *(right(SECONDS, "fit and search"), Field("key", "record"), Field("reason", "reason")),
    )
    return table(caption, fields, map(_record, frame.iloc[:MOST_ROWS].to_dict("records")))


def _record(cell: Mapping[Hashable, Any]) -> tuple[Entry | Value, ...]:
    where = (cell["dataset"], cell["n_components"], cell["n_nonzero"], cell["seed"], cell["status"])
    return (*where, Entry(cell.get(SECONDS), unit="s"), str(cell["key"])[:12] or None, cell["reason"] or None)
