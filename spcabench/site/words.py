"""The pages of words: how to add a method, and how the numbers are made."""

from __future__ import annotations

from collections.abc import Iterator

from spcabench.report.parts import Code, Note
from spcabench.site.board import Board
from spcabench.site.chance import TRIES
from spcabench.site.pages import Page, Points, Section
from spcabench.site.presets import PROVED, QUICK
from spcabench.site.scores import CLIP, ERRORS, FAILURE, FLOOR, LEAST, TIMES, VERSION, Controls
from spcabench.site.tasks import WIDE

KIND = "spcabench leaderboard"


def adding(path: str, suite: str) -> Page:
    """Return the page that says how a method comes onto the leaderboard of a suite."""
    write = (
        "This writes my_method.py and a suite of its own, my_method.yaml.  Change the class: it needs fit, and "
        "components_ with a row for each component.  Name the licence in a line of the file: "
        "# SPDX-License-Identifier: BSD-3-Clause."
    )
    run = (
        "spcabench check my_method.py\n"
        f"spcabench run {suite} --plugin my_method.py --set methods.+=my_method --only method=my_method -o RUN"
    )
    only = (
        "This fits the new method alone.  Into the folder of an earlier run of the suite, leave out --only: what is "
        "there stays, and the new method's cells are fitted."
    )
    submit = "spcabench submission write my_method --plugin my_method.py --run RUN --output submissions/my_method"
    merge = (
        "spcabench submission merge submissions/my_method --into reports/leaderboard\n"
        "spcabench site reports/leaderboard --plugin submissions/my_method/my_method.py --output site"
    )
    checked = (
        "It holds data, versions, limits, code and checks against the run, and computes some metrics again.  "
        "Times of another processor are multiplied by the ratio of the reference fits that both runs timed."
    )
    return Page(
        path,
        KIND,
        "How to add a method",
        "A method is a class with fit and components_; one file makes it a row of this page.",
        (
            Section("Write it", (Code("spcabench new method my_method --single-file"), Note(write))),
            Section("Check and run it", (Code(run), Note(only))),
            Section("Submit it", (Code(submit), Note("A pull request adds the folder."))),
            Section("Merge it", (Code(merge), Note(checked))),
        ),
    )


def making(path: str, board: Board) -> Page:
    """Return the page that says how the numbers are made."""
    lead = "Each number comes from the records of the runs; nothing is fitted for the page."
    dense = board.controls.dense
    sections = (
        Section("Values", (Note(VALUES),)),
        Section("Scores", (Points(tuple(_scores(board.controls))), Note(INTERVALS))),
        Section("Ranks", (Note(_ranks(board.controls)), Note(LIMITS_OF_RANKS))),
        Section("Presets", (Points(_presets(dense)),)),
        Section("What cannot be concluded", (Note(LIMITS),)),
    )
    return Page(path, KIND, "How the numbers are made", lead, sections)


VALUES = (
    "At a target, a method has the mean over its seeds of the column of the track; of seconds it is the geometric "
    "mean.  A failure has no size, so none enters a mean: where a cell failed or missed its target, the method has "
    "the median, in which failures are the worst, and where that is one the method failed at the target.  Methods "
    "are compared at an equal number of nonzeros in each component.  Dense methods have no target: they are shown "
    "with the values of their dense loadings, and not ranked."
)

INTERVALS = (
    "The 95 % interval of a score is Student's, over the data sets.  Where several data sets are variants of one "
    "design they are alike, and that would be too narrow: then it is by bootstrap over whole families of data sets, "
    f"widened for their small number (Hesterberg 2015).  Fewer than {LEAST} families make none."
)

LIMITS_OF_RANKS = (
    "Where a method cannot enter some data sets, its row says over how many its rank is; ranks over other data sets "
    "cannot be compared with it, so such rows come last.  The interval of the mean rank is by bootstrap over "
    "families of data sets.  Tiers are found among the methods that enter each data set, by signs of whole data "
    "sets flipped at random."
)

LIMITS = (
    "The data sets are a choice and no sample of all data.  An interval is of one method: where two overlap, the "
    "methods may still differ on each data set, and the pages of the data sets show by how much."
)


def _scores(controls: Controls) -> Iterator[str]:
    """Yield the sentences of how a score is made."""
    simple, dense = controls.simple, controls.dense
    least, most = CLIP
    yield (
        "At each target of a data set, a method has 100 (v - c0) / (c1 - c0) points: v is its value, c0 and c1 "
        "those of two controls on the same draws, with the sign such that more is better."
    )
    yield (
        f"c0 is {simple}, refitted on its support, and c1 is {dense}, which no sparse loadings need reach: the front "
        "page says how many points the best known values have.  Of metrics that need the true supports, c0 is the "
        f"mean of {TRIES} random supports, matched as those of a method are, and c1 the best value of the metric.  "
        f"Of seconds, c0 is {TIMES:g} times as slow as {dense} on the same data, and c1 {TIMES:g} times as fast, on "
        f"a logarithmic scale: {dense} has 50."
    )
    yield (
        f"The points of a target are held to {least:g} and {most:g}, so that none decides the mean.  A cell that "
        f"failed or missed its target has {FAILURE:g}.  A score is the mean over data sets of the means over their "
        "targets."
    )
    yield (
        f"A target is scored if the controls are apart by at least {FLOOR} margins of the metric, and by {ERRORS} "
        "standard errors of their difference; else it is scored for nobody, and the front page names it."
    )
    yield (
        "No other method moves a score.  There is none over all tracks: its weights would be the result.  Other "
        f"controls, or other limits, would make another version of the scores; this is version {VERSION}."
    )


def _ranks(controls: Controls) -> str:
    """Return how ranks are made."""
    return (
        f"The panel is {', '.join(controls.panel)}: the methods that the suite emphasises, or else names first.  At "
        "each target, the rank of a method is 1 + the number of methods of the panel that are better + half of "
        "those that tie: a new method moves no rank of another.  Differences within the margin of the metric are "
        "ties; who failed is last.  A data set has the mean of the ranks at its targets, also of two tracks.  "
        "Seconds do not count."
    )


def _presets(dense: str) -> tuple[str, ...]:
    return (
        f"d much larger than n: data sets with at least {WIDE:g} times as many features as samples.",
        "Outliers: data sets some of whose samples are contaminated, and the clean ones known.",
        "Several components: data sets on which each fit is of two or more components.",
        f"Fast: methods that take at most {QUICK:g} times as long as {dense}.",
        f"Exact: methods whose mean gap is at most {PROVED:.1%} on each data set of the track optimisation.",
    )
