"""The page that says what the ranks are worth: tests, pairs, tiers, profiles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from spcabench.analysis.over_datasets import friedman, iman_davenport, least_datasets
from spcabench.report.document import Points
from spcabench.report.model import Results
from spcabench.report.standings import SURE
from spcabench.site.board import Board
from spcabench.site.headline import certainty
from spcabench.site.pages import Page, section
from spcabench.site.profiles import profiles


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
    sections = (
        section("What can be concluded, and what cannot", Points(tuple(conclusions(board)))),
        section("How near the bound, and how long", *profiles(board, runs)),
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
    first = ", ".join(method for method, tier in zip(met.methods, met.tiers, strict=True) if tier == 1)
    rest = ", ".join(f"{n} in tier {tier}" for tier, n in sorted(Counter(met.tiers).items()) if tier > 1)
    yield f"Tied groups: tier 1, which may be the best, has {first}{f'; then {rest}' if rest else ''}."
    yield (
        "A mean rank depends on who else is there, so a claim about two methods is made from their values on the same "
        "data sets alone.  The best of many is partly lucky: quote the worse end of its interval."
    )
    yield (
        "The data sets are a choice and no sample of all data; subsamples of one table differ less than two tables do. "
        " So nothing here says how a method does on data of another kind."
    )
