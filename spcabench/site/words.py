"""The pages of words: how to add a method, and how the numbers are made."""

from __future__ import annotations

from spcabench.report.parts import Code, Note
from spcabench.site.board import Board
from spcabench.site.pages import Page, Points, Section
from spcabench.site.presets import PROVED, QUICK
from spcabench.site.scores import LEAST, RESAMPLES
from spcabench.site.tasks import WIDE


def adding(path: str, suite: str) -> Page:
    """Return the page that says how a method comes onto the leaderboard."""
    return Page(
        path,
        "spcabench leaderboard",
        "How to add a method",
        "A method is a class with fit and components_; one file makes it a row of this page.",
        (
            Section(
                "Write it",
                (
                    Code("spcabench new method my_method --single-file"),
                    Note(
                        "This writes my_method.py and my_method.yaml, a suite of its own.  Change the class: fit, and "
                        "components_ with a row for each component."
                    ),
                ),
            ),
            Section(
                "Try it",
                (
                    Code(
                        "spcabench check my_method --plugin my_method.py\n"
                        f"spcabench run {suite} --quick --plugin my_method.py"
                    ),
                    Note(
                        "The suite must name the method: add it to the list of methods in the suite's file.  A run "
                        "into the folder of an earlier one fits only what is not there yet."
                    ),
                ),
            ),
            Section("Make the page", (Code("spcabench site RUN --output DIR --plugin my_method.py"),)),
        ),
    )


def making(path: str, board: Board) -> Page:
    """Return the page that says how the numbers are made."""
    simple, dense = board.controls.simple, board.controls.dense
    return Page(
        path,
        "spcabench leaderboard",
        "How the numbers are made",
        "Each number comes from the records of the runs; nothing is fitted for the page.",
        (
            Section(
                "Values",
                (
                    Note(
                        "On a data set, a method has the mean of the column of the track over its targets and seeds; of "
                        "seconds it is the geometric mean.  A cell that failed or missed its target has the worst value "
                        "that any method has there; of seconds, the limit, if that is longer.  Methods are compared at "
                        "an equal number of nonzeros in each component.  Dense methods have no target: they are shown, "
                        "and not ranked."
                    ),
                ),
            ),
            Section(
                "Scores",
                (
                    Note(
                        f"The score of method m is 100 (mean of m - mean of {simple}) / (mean of top - mean of {simple}), "
                        "the means being over the data sets of the track that m enters, and the sign such that more is "
                        f"better.  Top is {dense} where the metric is evaluated on samples and {dense} is above {simple}; "
                        "otherwise it is the best value that the metric can take.  Of seconds, the score is 100 times "
                        f"the geometric mean of the seconds of {dense} over those of m."
                    ),
                    Note(
                        f"The 95 % interval is that of {RESAMPLES} bootstrap samples of the data sets; fewer than {LEAST} "
                        "data sets make none."
                    ),
                ),
            ),
            Section(
                "Ranks",
                (
                    Note(
                        "On each data set, methods are ranked, and differences within the margin of the metric are ties.  "
                        "Who has no result is last.  A data set that is in two tracks counts once, with the mean of its "
                        "ranks.  Seconds do not count.  The interval of the mean rank is Student's, over the data sets.  "
                        "Where a method cannot enter some data sets, its row says over how many its rank is."
                    ),
                ),
            ),
            Section(
                "Presets",
                (
                    Points(
                        (
                            f"d much larger than n: data sets with at least {WIDE:g} times as many features as samples.",
                            "Outliers: data sets some of whose samples are contaminated.",
                            f"Fast: methods that take at most {QUICK:g} times as long as {dense}.",
                            f"Exact: methods whose mean gap is at most {PROVED:.1%} on each data set of optimisation.",
                        )
                    ),
                ),
            ),
            Section(
                "What cannot be concluded",
                (
                    Note(
                        "The data sets are a choice and no sample of all data.  Intervals over few data sets are wide, "
                        "and those of ranks are of one method each: where two overlap, the page of a data set shows by "
                        "how much the methods differ there."
                    ),
                ),
            ),
        ),
    )
