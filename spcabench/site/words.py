"""The pages of words: how to add a method, and how the numbers are made."""

from __future__ import annotations

from spcabench.report.parts import Code, Note
from spcabench.site.board import Board
from spcabench.site.pages import Page, Points, Section
from spcabench.site.presets import PROVED, QUICK
from spcabench.site.scores import LEAST, RESAMPLES
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
    submit = "spcabench submit my_method --plugin my_method.py --run RUN --output submissions/my_method"
    merge = (
        "spcabench merge submissions/my_method --into reports/leaderboard\n"
        "spcabench site reports/leaderboard --plugin submissions/my_method/my_method.py --output site"
    )
    checked = (
        "merge holds data, versions, limits, code and checks against the run, and computes some metrics again.  "
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
        Section("Scores", (Note(_scores(board.controls.simple, dense)), Note(INTERVALS))),
        Section("Ranks", (Note(RANKS),)),
        Section("Presets", (Points(_presets(dense)),)),
        Section("What cannot be concluded", (Note(LIMITS),)),
    )
    return Page(path, KIND, "How the numbers are made", lead, sections)


VALUES = (
    "On a data set, a method has the mean of the column of the track over its targets and seeds; of seconds it is the "
    "geometric mean.  A cell that failed or missed its target has the worst value that any method has there; of "
    "seconds, the limit, if that is longer.  Methods are compared at an equal number of nonzeros in each component.  "
    "Dense methods have no target: they are shown with the values of their dense loadings, and not ranked."
)

INTERVALS = (
    f"The 95 % interval is that of {RESAMPLES} bootstrap samples of families of data sets, the variants of one design; "
    f"it is widened for their small number (Hesterberg 2015), and fewer than {LEAST} families make none."
)

RANKS = (
    "On each data set, methods are ranked, and differences within the margin of the metric are ties.  Who has no "
    "result is last.  A data set that is in two tracks counts once, with the mean of its ranks.  Seconds do not "
    "count.  The interval of the mean rank is by bootstrap over families of data sets.  Where a method cannot enter "
    "some data sets, its row says over how many its rank is; ranks over other data sets cannot be compared with it.  "
    "Tiers are found among the methods that enter each data set, by signs of whole data sets flipped at random."
)

LIMITS = (
    "The data sets are a choice and no sample of all data.  An interval is of one method: where two overlap, the "
    "methods may still differ on each data set, and the pages of the data sets show by how much."
)


def _scores(simple: str, dense: str) -> str:
    return (
        f"The score of a method m is 100 (mean of m - mean of {simple}) / (mean of top - mean of {simple}).  The means "
        "are over the data sets of the track that m enters, and the sign is such that more is better.  Top is "
        f"{dense} where the metric is evaluated on samples and {dense} is above {simple}; otherwise it is the best "
        "value that the metric can take, or that any method has if there is no such value.  Of seconds, the score "
        f"is 100 times the geometric mean of the seconds of {dense} over those of m."
    )


def _presets(dense: str) -> tuple[str, ...]:
    return (
        f"d much larger than n: data sets with at least {WIDE:g} times as many features as samples.",
        "Outliers: data sets some of whose samples are contaminated, and the clean ones known.",
        "Several components: data sets on which each fit is of two or more components.",
        f"Fast: methods that take at most {QUICK:g} times as long as {dense}.",
        f"Exact: methods whose mean gap is at most {PROVED:.1%} on each data set of the track optimisation.",
    )
