"""Where methods stand, question by question: a table for each, made from the one inference over sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from spcabench.analysis.inference import Verdicts, family
from spcabench.report.document import METHOD, Columns, Entry, Field, Table, tabled
from spcabench.report.groups import by_reason
from spcabench.report.model import Results
from spcabench.report.questions import Question, asked, cells, questions
from spcabench.report.render.text import NOTHING, measured
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS, TrackName

NEGLIGIBLE = 1e-8
"""A share that is smaller is shown as none: proofs end at a gap of 1e-9."""
LEAST = 3
"""Sources, and methods, that make standings."""


class Judged(NamedTuple):
    """A question, and what the family of its site says of it."""

    question: Question
    verdicts: Verdicts

    def place(self, label: str) -> int | None:
        """Return the place of a method; None if it does not enter."""
        methods = self.verdicts.contest.methods
        return methods.index(label) if label in methods else None

    def failed(self, label: str) -> Entry:
        """Return how many cells of a method failed or missed their target."""
        lost, planned = self.question.failures[label]
        return Entry(lost, planned=planned)

    def rank(self, at: int) -> Entry:
        """Return the mean rank of a method with its interval."""
        contest = self.verdicts.contest
        mean, ends = float(contest.mean_ranks[at]), contest.intervals[at]
        between = f" ({ends.low:.1f} to {ends.high:.1f})" if contest.entered[at] > 1 else ""
        return Entry(mean, text=f"{mean:.1f}{between}" if not math.isnan(mean) else NOTHING)

    def reached(self, at: int) -> Entry:
        """Return what a method reached, the mean over sources; the best are those of tier 1."""
        return self.value(float(self.verdicts.contest.means[at]), self.verdicts.tiers[at] == 1)

    def value(self, number: float, best: bool = False) -> Entry:
        """Return a value as readers know it."""
        return Entry(self.question.shown(number), text=value_text(self.question, number), best=best)


def judged(found: Sequence[Question]) -> list[Judged]:
    """Return the verdicts on some questions, as one family."""
    return [Judged(*one) for one in zip(found, family([question.contest for question in found]), strict=True)]


@lru_cache(maxsize=16)
def _of_run(results: Results) -> list[Judged]:
    """Return the tracks of a suite, judged; of one without, the first ranked column with one scale over data sets."""
    if results.suite.tracks:
        return judged(questions([results]))
    scaled = (column for column in results.ranked if all(map(math.isfinite, column.range)))
    entries = [entry.label or entry.name for entry in results.suite.datasets]
    return judged([asked(results, cells(results), None, column, entries) for column in islice(scaled, 1)])


def standings_table(results: Results, track: TrackName | None = None) -> Table | None:
    """Make the table of standings of a track, or of a suite without tracks over all its entries.

    None if the suite does not have it, or sources or methods are fewer than `LEAST`.
    """
    for found in _of_run(results):
        contest = found.verdicts.contest
        if found.question.name == track and min(len(contest.sources), len(contest.methods)) >= LEAST:
            return table(f"track_{track}" if track else "standings", found)
    return None


def value_text(question: Question, value: float) -> str:
    """Write a value as readers know it."""
    if math.isnan(value):
        return NOTHING
    if question.seconds:
        return f"{question.shown(value):.3g} ×"
    share = question.relative or question.column.unit == "share"
    if share:
        percent = 100 * question.shown(value)
        return "0 %" if abs(value) < NEGLIGIBLE else f"{percent:#.3g}".rstrip(".") + " %"
    return measured(question.shown(value), math.nan, question.column.unit)


def table(name: str, judged: Judged) -> Table | None:
    """Make a table with a row for each method, the best mean rank first.

    Parameters
    ----------
    name : str
        Of its files.
    judged : Judged
        What is asked, and what the family says of it.
    """
    question, verdicts = judged
    contest, leader = verdicts.contest, verdicts.leader
    published = {str(label) for label in question.cells.loc[question.cells["published"], "method"]}

    def p(at: int) -> float:
        return math.nan if leader is None or at == leader else float(verdicts.p[leader, at])

    def worst(column: Column) -> tuple[Field, Callable[[int], Entry]]:
        known = question.worst_beside(column)
        heading = f"{column.name}, worst"
        return Field(column.name, heading, numeric=True), lambda at: Entry(
            known.get(contest.methods[at], math.nan), unit=column.unit
        )

    columns: Columns[int] = (
        (METHOD, lambda at: contest.methods[at]),
        (Field("protocol", "as", rank=1), lambda at: protocol(contest.methods[at] in published)),
        (Field("tier", "tier", numeric=True), lambda at: Entry(verdicts.tiers[at], best=verdicts.tiers[at] == 1)),
        (Field("rank", "mean rank", numeric=True), judged.rank),
        (Field("rank_low", "", numeric=True), lambda at: contest.intervals[at].low),
        (Field("rank_high", "", numeric=True), lambda at: contest.intervals[at].high),
        (Field("value", value_words(question), numeric=True), judged.reached),
        (Field("failed", "failed", numeric=True), lambda at: judged.failed(contest.methods[at])),
        (Field("planned", ""), lambda at: question.failures[contest.methods[at]][1]),
        *map(worst, question.beside),
        (Field("sources", "sources", numeric=True, rank=1), lambda at: int(contest.entered[at])),
        (Field("p", "p", numeric=True, rank=1), p),
        (
            Field("surely_better_than", "surely better than", numeric=True, rank=1),
            lambda at: int(verdicts.better[at].sum()),
        ),
    )
    caption = " ".join(filter(None, _caption(question, verdicts)))
    return tabled(name, caption, columns, contest.order)


def protocol(published: bool) -> str:
    """Return the word for how a method runs: by the protocol of its paper, or by the library's default."""
    return "published" if published else "default"


def value_words(question: Question) -> str:
    """Return what a value of a question is."""
    if question.seconds:
        return "seconds, ratio to dense"
    return f"{question.column.name}, below the best" if question.relative else question.column.name


def told(verdicts: Verdicts) -> str:
    """Say whether the sources tell methods apart, and with how many they would."""
    n, m, needed = len(verdicts.contest.sources), len(verdicts.contest.methods), verdicts.needed
    if not verdicts.can_tell:
        return f"{n} sources cannot tell any two of {m} methods apart; {needed} would do."
    sure = int(verdicts.better.sum())
    return f"Of {m * (m - 1) // 2} pairs of methods {sure} are surely apart over {n} sources."


def _caption(question: Question, verdicts: Verdicts) -> Iterator[str]:
    contest = verdicts.contest
    yield f"{TRACKS[question.name].capitalize()}." if question.name else ""
    yield (
        f"By {question.column.name}, over {len(contest.sources)} sources, each the mean over its data sets, targets "
        "and seeds. A failure or a missed target counts as worse than any value of its draw; differences within "
        f"{question.margin:.2g} are ties. In brackets is Student's 95 % interval of the mean rank over sources."
    )
    if question.alike:
        yield f"{question.alike} targets are left out, as all methods reach the same there, or none has a value."
    yield told(verdicts)
    if verdicts.can_tell:
        yield (
            "Tier 1 (bold): no method is surely better. Surely: ahead on more sources than behind, by the signed-rank "
            "test, or by signs alone where their sizes are uneven; one family of tests over all questions, 5 % (Holm)."
        )
    if question.outside:
        yield f"Not here: {by_reason(question.outside)}."
    if question.waiting:
        yield f"Not finished, and so not counted: {', '.join(question.waiting)}."
