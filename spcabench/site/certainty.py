"""The page that says what the ranks are worth: tests, intervals, pairs, profiles, and what was spent on tuning."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from inspect import signature

import numpy as np

from spcabench.analysis.contest import Contest
from spcabench.analysis.over_datasets import (
    alike,
    critical_difference,
    friedman,
    iman_davenport,
    least_datasets,
    least_wins,
)
from spcabench.calibrate import search_penalty
from spcabench.report.document import METHOD, Entry, Note, Points, Table
from spcabench.report.model import Results
from spcabench.report.standings import SURE, panel, wins_table
from spcabench.site.board import Board
from spcabench.site.headline import certainty
from spcabench.site.pages import Page, right, section, table
from spcabench.site.plots import Axis, Dots, dot
from spcabench.site.profiles import gaps, times

TOP = 10
"""Methods that the figure of mean ranks shows."""

MOST_FITS: int = signature(search_penalty).parameters["max_fits"].default


def page(path: str, board: Board, runs: Sequence[Results]) -> Page:
    """Return the page.

    Parameters
    ----------
    path : str
        Its place.
    board : Board
        Over all data sets.
    runs : sequence of Results
        The runs.
    """
    met = board.contest
    chosen = panel(met, runs) if met else None
    named = chosen.methods if chosen else ()
    sections = (
        section("What can be concluded, and what cannot", Points(tuple(conclusions(board)))),
        section("Mean ranks", *((_top(met),) if met else ())),
        section("Methods named beforehand", *(_panel(chosen) if chosen else ())),
        section("How near the bound", *gaps(board, runs, named)),
        section("How long", *times(board, runs, named)),
        section("What was spent on tuning", *_tuning(board)),
    )
    few = "Too few methods enter each data set to compare them over all."
    lead = certainty(met, next(iter(board.ranked))) if met else few
    return Page(path, "spcabench leaderboard", "What is certain", lead, sections)


def conclusions(board: Board) -> Iterator[str]:
    """Yield sentences that say what the numbers allow to conclude, and what they do not."""
    met = board.contest
    if met is None:
        yield "Fewer than two methods enter each data set: compare methods on the pages of the data sets."
        return
    n, m, families = len(met.names), len(met.methods), len(set(met.families))
    yield (
        f"{m} methods enter each of the {n} data sets, which come from {families} families: variants of one design "
        "are no independent data sets, and intervals resample whole families."
    )
    rivals = met.among([method for method in met.methods if method != board.controls.simple])
    if len(rivals.methods) > 1:
        p = iman_davenport(rivals.ranks)
        verdict = "they are not all alike" if p <= SURE else "they may all be alike"
        yield (
            f"Without {board.controls.simple}, {verdict}: Friedman's statistic is {friedman(rivals.ranks):.1f} with "
            f"{len(rivals.methods) - 1} degrees of freedom, p = {p:.2g} (in the form of Iman and Davenport 1980).  "
            "That says nothing of any pair."
        )
    pairs = math.comb(m, 2)
    apart = int((met.p[np.triu_indices(m, 1)] <= SURE).sum())
    if n < least_datasets(pairs):
        yield (
            f"No pair of {m} methods can be told apart on {n} data sets, whatever the values: that takes "
            f"{least_datasets(pairs)}.  Read the counts of wins, and tests of fewer pairs."
        )
    else:
        yield (
            f"One of two methods is called better where the signed-rank test says so at 5 %, adjusted for all {pairs} "
            f"pairs (Wilcoxon 1945, Holm 1979): so {apart} pairs are told apart, and {pairs - apart} are not.  Not "
            "told apart does not mean equal."
        )
    if (wins := least_wins(n)) <= n:
        yield f"As a rule of thumb for one pair alone: a method must win {wins} of {n} data sets (sign test)."
    yield f"Tied groups: {_tiers(met)}."
    yield (
        "A mean rank depends on who else is there, so a claim about two methods is made from their values on the same "
        "data sets alone.  The best of many is partly lucky: quote the worse end of its interval."
    )
    yield (
        "The data sets are a choice and no sample of all data; subsamples of one table differ less than two tables do. "
        " So nothing here says how a method does on data of another kind."
    )


def _tiers(met: Contest) -> str:
    first = ", ".join(method for method, tier in zip(met.methods, met.tiers, strict=True) if tier == 1)
    rest = ", ".join(f"{n} in tier {tier}" for tier, n in sorted(Counter(met.tiers).items()) if tier > 1)
    return f"tier 1, which may be the best, has {first}" + (f"; then {rest}" if rest else "")


def _dots(met: Contest, n: int, title: str, caption: str) -> Dots:
    axis = Axis("mean rank", 1.0, float(len(met.methods)))
    found = zip(met.methods[:n], met.mean_ranks, met.intervals, strict=False)
    return Dots(
        title, caption, axis, tuple(dot(name, float(mean), between, axis, ".1f") for name, mean, between in found)
    )


def _top(met: Contest) -> Dots:
    n, m = min(TOP, len(met.methods)), len(met.methods)
    caption = (
        f"Of the {m} methods that enter each data set, ranked among themselves; 1 is the best.  Lines are 95 % "
        "intervals (bootstrap over families of data sets).  Failures rank last."
    )
    return _dots(met, n, f"The {n} best mean ranks" if n < m else "Mean ranks", caption)


def _panel(met: Contest) -> Iterator[Dots | Table]:
    m, n = len(met.methods), len(met.names)
    distance = critical_difference(m, n)
    caption = (
        f"{m} methods that the suite names, ranked among themselves alone on {n} data sets.  Green bars join methods "
        "no two of which are told apart (Wilcoxon and Holm).  The ruler is the critical difference of Nemenyi's test, "
        f"{distance:.2f} (Demsar 2006), for comparison: it depends on who else is there."
    )
    plot = _dots(met, m, "Critical differences", caption)
    ruler = min(1.0, distance / (m - 1))
    yield replace(plot, bars=tuple(alike(met.p, SURE)), length=ruler, ruler="critical difference")
    if made := wins_table("", met):
        yield made


def _tuning(board: Board) -> Iterator[Note | Table]:
    """Yield a note on the budget, which is equal, and the table of what each method spent of it."""
    yield Note(
        f"A method that takes its number of nonzeros needs no search.  For the others the host searches the penalty, "
        f"with at most {MOST_FITS} fits a component: the same for all.  The time of the search counts."
    )
    spent = sorted(
        (row for row in board.rows if not row.dense and row.costs.fits >= 0), key=lambda row: -row.costs.fits
    )
    fields = (
        METHOD,
        right("fits", "fits of the search, a cell"),
        right("most", "at most"),
        right("share", "share of the time"),
        right("failed", "failed or missed"),
    )
    rows = [
        (
            row.method,
            row.costs.fits,
            row.costs.most_fits,
            Entry(row.costs.search_share, unit="%"),
            f"{row.costs.failed} of {row.costs.planned}",
        )
        for row in spent
    ]
    yield from table("Over the cells that finished.", fields, rows)
