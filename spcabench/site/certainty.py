"""The page that says what the ranks are worth: tests, intervals, pairs, profiles, and what was spent on tuning."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from spcabench.report.model import Results
from spcabench.report.standings import SURE, panel, wins_table
from spcabench.site.board import Board
from spcabench.site.headline import certainty, leader
from spcabench.site.pages import Page, Part, Points, Section
from spcabench.site.plots import Axis, Dot, Dots
from spcabench.site.profile_parts import gaps, times
from spcabench.site.tuning import tuning

TOP = 10
"""Methods that the figure of mean ranks shows."""


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
        Section("What can be concluded, and what cannot", (Points(tuple(conclusions(board))),)),
        *((Section("Mean ranks", (_top(met, board),)),) if met else ()),
        *((Section("Methods named beforehand", tuple(_panel(chosen))),) if chosen else ()),
        Section("How near the bound", tuple(gaps(board, runs, named))),
        Section("How long", tuple(times(board, runs, named))),
        Section("What was spent on tuning", tuple(tuning(board, runs))),
    )
    lead = certainty(met, leader(board)) if met else "Too few methods enter each data set to compare them over all."
    return Page(path, "spcabench leaderboard", "What is certain", lead, tuple(one for one in sections if one.parts))


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
    apart = int((np.triu(met.p, 1)[np.triu_indices(m, 1)] <= SURE).sum())
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
    by_tier: dict[int, list[str]] = {}
    for method, tier in zip(met.methods, met.tiers, strict=True):
        by_tier.setdefault(tier, []).append(method)
    first = ", ".join(by_tier.pop(1))
    rest = ", ".join(f"{len(labels)} in tier {tier}" for tier, labels in sorted(by_tier.items()))
    return f"tier 1, which may be the best, has {first}" + (f"; then {rest}" if rest else "")


def _dots(met: Contest, places: Sequence[int], title: str, caption: str, axis: Axis) -> Dots:
    rows = []
    for place in places:
        mean, between = float(met.mean_ranks[place]), met.intervals[place]
        known = math.isfinite(between.low)
        said = f"{mean:.1f}" + (f", {between.low:.1f} to {between.high:.1f}" if known else "")
        low, high = (between.low, between.high) if known else (mean, mean)
        rows.append(Dot(met.methods[place], axis.place(mean), axis.place(low), axis.place(high), said))
    return Dots(title, caption, axis, tuple(rows))


def _top(met: Contest, board: Board) -> Dots:
    n, m = min(TOP, len(met.methods)), len(met.methods)
    caption = (
        f"Of the {m} methods that enter each data set, ranked among themselves; 1 is the best.  Lines are 95 % "
        "intervals (bootstrap over families of data sets).  Failures rank last."
    )
    title = f"The {n} best mean ranks" if n < m else "Mean ranks"
    return _dots(met, range(n), title, caption, Axis("mean rank", 1.0, float(m)))


def _panel(met: Contest) -> Iterator[Part]:
    m, n = len(met.methods), len(met.names)
    distance = critical_difference(m, n)
    caption = (
        f"{m} methods that the suite names, ranked among themselves alone on {n} data sets.  Green bars join methods "
        "no two of which are told apart (Wilcoxon and Holm).  The ruler is the critical difference of Nemenyi's test, "
        f"{distance:.2f} (Demsar 2006), for comparison: it depends on who else is there."
    )
    axis = Axis("mean rank", 1.0, float(m))
    plot = _dots(met, range(m), "Critical differences", caption, axis)
    ruler = min(1.0, distance / (m - 1))
    yield replace(plot, bars=tuple(alike(met.p, SURE)), length=ruler, ruler="critical difference")
    if table := wins_table("", met):
        yield table
