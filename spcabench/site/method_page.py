"""The page of a method: what it is, where it stands in each question, and its rows of the tables of the reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from spcabench.report.document import METHOD, Columns, Entry, Facts, Field, Note, Table, tabled
from spcabench.report.model import Results
from spcabench.report.standings import Judged, value_words
from spcabench.site.pages import QUESTION, Page, about, right, section
from spcabench.specs import MethodSpec

BY = Field("by", "by", rank=1)

MOST_NAMED = 8
"""Methods that a cell names; the others are counted."""


def page(
    label: str, path: str, board: Sequence[Judged], runs: Sequence[Results], reported: Mapping[str, list[Table]]
) -> Page:
    """Return the page of a method.

    Parameters
    ----------
    label, path : str
        Its label, and the place of its page.
    board : sequence of (Question, Verdicts)
        The questions.
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
        section("Where it stands", _places(label, board)),
        section("Source by source", _sources(label, board)),
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


def _places(label: str, board: Sequence[Judged]) -> Table | None:
    """Return the table of where it stands in each question."""
    mine = [(one, at) for one in board if (at := one.place(label)) is not None]

    def listed(methods: Sequence[str], flags: Sequence[bool]) -> Entry:
        named = [one for one, on in zip(methods, flags, strict=True) if on]
        more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        return Entry(len(named), text=f"{len(named)}: {', '.join(named[:MOST_NAMED])}{more}" if named else "0")

    columns: Columns[tuple[Judged, int]] = (
        (QUESTION, lambda one: one[0].question.name),
        (right("tier", "tier"), lambda one: one[0].verdicts.tiers[one[1]]),
        (right("rank", "mean rank"), lambda one: one[0].rank(one[1])),
        (right("of", "of", rank=1), lambda one: len(one[0].verdicts.contest.methods)),
        (BY, lambda one: value_words(one[0].question)),
        (right("value", "value"), lambda one: one[0].reached(one[1])),
        (right("failed", "failed", rank=1), lambda one: one[0].failed(label)),
        (
            Field("better", "surely better than"),
            lambda one: listed(one[0].verdicts.contest.methods, one[0].verdicts.better[one[1]].tolist()),
        ),
        (
            Field("worse", "surely worse than"),
            lambda one: listed(one[0].verdicts.contest.methods, one[0].verdicts.better[:, one[1]].tolist()),
        ),
    )
    return tabled("", "Surely: in the one family of tests of this site, at 5 %.", columns, mine)


def _sources(label: str, board: Sequence[Judged]) -> Table | None:
    """Return the table of its rank and value on each source, the best first."""
    rows = [
        (one, source, float(contest.ranks[place, at]), float(contest.values[place, at]))
        for one in board
        if (at := one.place(label)) is not None
        for contest in [one.verdicts.contest]
        for place, source in enumerate(contest.sources)
        if not math.isnan(contest.values[place, at])
    ]
    columns: Columns[tuple[Judged, str, float, float]] = (
        (right("rank", "rank"), lambda row: row[2]),
        (Field("source", "source"), lambda row: row[1]),
        (QUESTION, lambda row: row[0].question.name),
        (right("value", "value"), lambda row: row[0].value(row[3])),
        (BY, lambda row: value_words(row[0].question)),
    )
    caption = "Its rank on each source, the best first; a failure is worse than any value."
    return tabled("", caption, columns, sorted(rows, key=lambda row: row[2]))
