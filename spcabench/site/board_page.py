"""The front page: the answer, all methods, and what is not certain; a page for each question; and what changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.document import DATASET, METHOD, Columns, Entry, Field, Links, Note, Points, Table, tabled
from spcabench.report.groups import Cell, records
from spcabench.report.questions import COUNTS, FAILED
from spcabench.report.render.text import NOTHING, listed
from spcabench.report.standings import NEGLIGIBLE, Judged, protocol, table, told, value_text, value_words
from spcabench.site.files import CELLS, LEADERBOARD, QUESTIONS, SCRIPT
from spcabench.site.pages import QUESTION, Page, right, section
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS, TrackName
from spcabench.wording import InputError

KIND = "spcabench leaderboard"

KEYS = [QUESTION.name, METHOD.name]
COMPARED = {"tier": "tier", "rank": "mean rank", "value": "value"}
CODE, WHEN = "code", ("before", "now")

NEARLY = 1e-6
"""Scores are alike that differ by no more than this share."""

SITUATIONS: Mapping[TrackName, str] = {
    "one": "one component",
    "wide": "one component, d >> n",
    "span": "several components, their span",
    "adjusted": "several components, their adjusted variance",
    "recovery": "the true variables",
    "robustness": "with outliers, the clean samples' variance",
    "prediction": "held-out samples' variance",
    "cost": "the least time",
}
"""What readers want of each question."""

LIKENESS = (
    "The span of several components can be bought with loadings that are nearly alike: read it beside the adjusted "
    "variance and the largest cosine."
)


def question_path(name: TrackName | None) -> str:
    """Return the place of the page of a question."""
    return f"questions/{name}.html"


def answers(board: Sequence[Judged]) -> Table | None:
    """Return the table of answers: for each question what to take, what it costs, and what is as good."""
    cost = {
        label: value_text(question, float(mean))
        for question, verdicts in board
        if question.name == "cost"
        for label, mean in zip(verdicts.contest.methods, verdicts.contest.means, strict=True)
    }

    def as_good(one: Judged) -> str:
        verdicts = one.verdicts
        if not verdicts.can_tell:
            return f"any: {len(verdicts.contest.sources)} sources tell none apart, {verdicts.needed} would do"
        found = [verdicts.contest.methods[at] for at in verdicts.tied]
        priced = [f"{label} ({cost[label]})" if label in cost else label for label in found]
        return listed(priced) if found else "none: no other is in tier 1"

    def take(one: tuple[Judged, int]) -> str:
        return one[0].verdicts.contest.methods[one[1]]

    columns: Columns[tuple[Judged, int]] = (
        (Field("situation", "you want"), lambda one: SITUATIONS[one[0].question.name or "one"]),
        (Field("method", "take"), take),
        (right("reached", "it reaches", rank=1), lambda one: one[0].reached(one[1])),
        (Field("by", "by", rank=1), lambda one: value_words(one[0].question)),
        (right("rank", "mean rank", rank=1), lambda one: one[0].rank(one[1])),
        (right("time", "time, ratio to dense", rank=1), lambda one: cost.get(take(one), NOTHING)),
        (Field("as_good", "as good"), lambda one: as_good(one[0])),
    )
    leading = [(one, leader) for one in board if (leader := one.verdicts.leader) is not None]
    return tabled(
        "",
        "The best mean rank over sources.  As good, as far as the sources show: tier 1, the best mean rank first; in "
        "brackets the time.",
        columns,
        leading,
    )


def whole(board: Sequence[Judged], cells: pd.DataFrame) -> Table | None:
    """Return the table of all methods, with what each reached in each question, in the order of the first."""
    about = cells.drop_duplicates("method").set_index("method")["published"]
    order = dict.fromkeys(one.verdicts.contest.methods[at] for one in board for at in one.verdicts.contest.order)
    counted = cells[cells["state"].isin([COUNTS, FAILED])]
    failed = counted["state"].eq(FAILED).groupby(counted["method"]).agg(["sum", "count"])

    def of(number: int, judged: Judged) -> tuple[Field, Callable[[str], Entry]]:
        def enter(label: str) -> Entry:
            at = judged.place(label)
            if at is None:
                return Entry(None)
            tier = judged.verdicts.tiers[at]
            found = judged.reached(at)
            return replace(found, text=f"{found.text} ({tier})") if tier else found

        name = str(judged.question.name)
        return Field(name, name, numeric=True, rank=int(number > 1)), enter

    columns: Columns[str] = (
        (METHOD, str),
        (Field("protocol", "as", rank=1), lambda label: protocol(about[label])),
        *(of(number, judged) for number, judged in enumerate(board)),
        (
            Field("failed", "failed", numeric=True, rank=1),
            lambda label: Entry(int(failed["sum"].get(label, 0)), planned=int(failed["count"].get(label, 0))),
        ),
    )
    caption = (
        "What each method reached, the mean over sources, and in brackets its tier: 1, bold, where no method is surely "
        f"better; none where the sources are too few.  {LIKENESS}  Failed: cells that failed or missed their target, "
        f"which count as worse than any value there.  {NOTHING}: it does not enter."
    )
    return tabled("", caption, columns, list(order))


def front(
    board: Sequence[Judged], cells: pd.DataFrame, title: str, runs: Table | None, waiting: str, cite: str
) -> Page:
    """Return the front page.

    Parameters
    ----------
    board : sequence of (Question, Verdicts)
        The questions, judged as one family.
    cells : DataFrame
        All cells.
    title : str
        Of the site.
    runs : Table, optional
        The runs that it is made from.
    waiting, cite : str
        Which data sets do not count yet, empty if all do; and how to cite the site.
    """
    chips = Links((("Default alone", "index.html?q=default"), ("As published alone", "index.html?q=published")))
    named = [Note(waiting)] if waiting else []
    sections = (
        section("Take this", *named, answers(board)),
        section("All methods", chips, whole(board, cells)),
        section("What is not certain", Points(tuple(_doubts(board)))),
        section("Raw results", Note(cite), Links(tuple((f"{file}: {says}", file) for file, says in FILES.items()))),
        section("Runs", runs),
    )
    return Page("index.html", KIND, title, "", sections)


FILES = {
    CELLS: "all cells",
    QUESTIONS: "what each question compares",
    LEADERBOARD: "the scores",
    SCRIPT: "the program that computes the scores from the cells",
}
"""What each file to download has."""


def _doubts(board: Sequence[Judged]) -> Iterator[str]:
    for question, verdicts in board:
        yield f"{str(question.name).capitalize()}: {told(verdicts)}"
    yield (
        "Surely: ahead on more sources than behind, beyond chance.  All pairs in all questions are one family: on 5 % "
        "of such sites at most, any of these statements is false (Holm 1979).  It is assumed that sources are "
        "independent, and that differences of even sizes are symmetric.  Not apart does not mean equal."
    )
    yield "The sources are a choice and no sample of all data: nothing here says how a method does on other kinds."


def question_page(judged: Judged) -> Page:
    """Return the page of a question: its methods, and its sources."""
    name = judged.question.name or "one"
    points = Points((LIKENESS,)) if name in ("span", "adjusted") else None
    sections = (
        section("Methods", points, table("", judged)),
        section("Sources", _sources(judged)),
        section("Orthogonal components", _bounds(judged)),
    )
    return Page(question_path(name), "question", f"{name.capitalize()}: {TRACKS[name]}", "", sections)


def _sources(judged: Judged) -> Table | None:
    """Return the table of the sources of a question: who is best on each, and how far apart methods are."""
    contest = judged.verdicts.contest
    datasets = judged.question.inside.groupby("source")["dataset"].unique()

    def leaders(at: int) -> str:
        best = contest.values[at] >= np.nanmax(contest.values[at]) - contest.margin * (1 + 1e-9)
        return listed([label for label, on in zip(contest.methods, best, strict=True) if on])

    columns: Columns[int] = (
        (Field("source", "source"), lambda at: contest.sources[at]),
        (Field("datasets", "data sets"), lambda at: ", ".join(datasets[contest.sources[at]])),
        (Field("best", "best"), leaders),
        (right("value", "with"), lambda at: judged.value(float(np.nanmax(contest.values[at])))),
    )
    caption = "The best of each source, and those within the margin of it."
    return tabled("", caption, columns, range(len(contest.sources)))


def _bounds(judged: Judged) -> Table | None:
    """Return the table of what no orthogonal components exceed, beside the best of any method."""
    question = judged.question
    name, unit, higher = question.column.name, question.column.unit, question.column.better == "higher"
    known = question.inside[question.inside["state"] == COUNTS].dropna(subset=name).sort_values(name, ascending=higher)
    best = {row["dataset"]: row for row in records(known)}  # the last of a data set is the best
    targets = known.astype({"n_nonzero": str}).groupby("dataset")["n_nonzero"].nunique()

    def beside(column: Column) -> tuple[Field, Callable[[str], Entry]]:
        heading = f"{column.name} of it"
        return right(column.name, heading), lambda label: Entry(
            best[label].get(column.name, math.nan), unit=column.unit
        )

    columns: Columns[str] = (
        (DATASET, str),
        (right("bound", "bound, orthogonal"), lambda label: Entry(question.bounds[label], unit=unit)),
        (right("best", "best known"), lambda label: Entry(best[label][name], unit=unit)),
        (METHOD, lambda label: best[label]["method"]),
        *map(beside, question.beside),
    )
    caption = (
        f"By {name}: what is proved that no orthogonal loadings of the target exceed, and the best of any method.  "
        "Oblique loadings may exceed the bound."
    )
    return tabled("", caption, columns, [label for label in question.bounds if label in best and targets[label] == 1])


def changes_page(path: str, earlier: pd.DataFrame, now: pd.DataFrame) -> Page:
    """Return the page of changes.

    Parameters
    ----------
    path : str
        Its place.
    earlier, now : DataFrame
        The scores of both sites, as their ``leaderboard.csv`` has them.

    Raises
    ------
    InputError
        If the earlier scores lack a column.
    """
    needed = [*KEYS, *COMPARED, CODE]
    if lacking := [name for name in needed if name not in earlier]:
        raise InputError(f"the earlier scores have no column {lacking[0]}; valid is the leaderboard.csv of a site")
    before, after = (one[needed].astype(dict.fromkeys(KEYS, str)) for one in (earlier, now))
    both = before.merge(after, "outer", KEYS, suffixes=("_before", "_now"), indicator="sites")
    fields = [right(f"{name}_{when}", f"{COMPARED[name]} {when}", rank=1) for name in COMPARED for when in WHEN]
    both = both.assign(**{field.name: pd.to_numeric(both[field.name], errors="coerce") for field in fields})
    rows = records(both.assign(changed=_changed(both)))
    shown = (QUESTION, METHOD, *fields, Field("changed", "changed"))
    columns: Columns[Cell] = [(field, itemgetter(field.name)) for field in shown]
    n_changed = sum(bool(row["changed"]) for row in rows)
    lead = f"{n_changed} of {len(rows)} rows differ.  Ranks and tiers move with the other methods, too."
    caption = "Values are as in leaderboard.csv.  Code: the program of the method is another."
    return Page(path, "changes", "What changed", lead, (section("Scores", tabled("", caption, columns, rows)),))


def _changed(both: pd.DataFrame) -> pd.Series[Any]:
    """Return what of the scores of each method is another now, in words."""
    other = {}
    for name, words in COMPARED.items():
        before, now = (both[f"{name}_{when}"] for when in WHEN)
        other[words] = ~np.isclose(before, now, rtol=NEARLY, atol=NEGLIGIBLE, equal_nan=True)
    other[CODE] = both[f"{CODE}_before"].map(str) != both[f"{CODE}_now"].map(str)
    said = pd.DataFrame(other).apply(lambda row: ", ".join(row.index[row]), axis=1)
    return both["sites"].map({"left_only": "gone", "right_only": "new"}).astype(object).fillna(said)
