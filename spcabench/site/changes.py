"""The scores of this site beside those of an earlier one: what each method had and has, and what changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.document import METHOD, Columns, Entry, Field, records, tabled
from spcabench.report.render.text import NOTHING
from spcabench.report.standings import NEGLIGIBLE
from spcabench.site.pages import QUESTION, Page, right, section
from spcabench.wording import InputError

COMPARED = {"tier": "tier", "rank": "mean rank", "value": "value"}
CODE = "code"
NEARLY = 1e-6
"""Scores are alike that differ by no more than this share."""
NEEDED = (QUESTION.name, METHOD.name, *COMPARED, CODE)

Both = tuple[dict[str, Any], dict[str, Any]]
"""The scores of a method in a question, earlier and now; empty where it has none."""


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
    if lacking := [name for name in NEEDED if name not in earlier]:
        raise InputError(f"the earlier scores have no column {lacking[0]}; valid is the leaderboard.csv of a site")
    was, has = (_by_row(one) for one in (earlier, now))
    both: list[Both] = [(was.get(key, {}), has.get(key, {})) for key in has | was]
    columns: Columns[Both] = (
        (QUESTION, lambda one: (one[1] or one[0])[QUESTION.name]),
        (METHOD, lambda one: (one[1] or one[0])[METHOD.name]),
        *(_score(name, place) for name in COMPARED for place in (0, 1)),
        (Field("changed", "changed"), lambda one: ", ".join(_changed(*one))),
    )
    n_changed = sum(any(_changed(*one)) for one in both)
    lead = f"{n_changed} of {len(both)} rows differ.  Ranks and tiers move with the other methods, too."
    caption = "Values are as in leaderboard.csv.  Code: the program of the method is another."
    return Page(path, "changes", "What changed", lead, (section("Scores", tabled("", caption, columns, both)),))


def _by_row(scores: pd.DataFrame) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the scores of each question and method; a score that is no number is nan, a code that lacks empty."""
    numbers = {name: pd.to_numeric(scores[name], errors="coerce").astype(float) for name in COMPARED}
    return {
        (row[QUESTION.name], row[METHOD.name]): row
        for row in records(scores.assign(**numbers, code=scores[CODE].astype(object).fillna("")))
    }


def _score(name: str, place: int) -> tuple[Field, Callable[[Both], Entry]]:
    """Return the column of a score, earlier or now."""
    when = ("before", "now")[place]

    def enter(one: Both) -> Entry:
        value = one[place].get(name, math.nan)
        return Entry(value, text=NOTHING if math.isnan(value) else f"{value:.4g}")

    return right(f"{name}_{when}", f"{COMPARED[name]} {when}"), enter


def _changed(earlier: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Yield what of the scores of a method is another now."""
    if not (earlier and now):
        yield "new" if now else "gone"
        return
    for name, words in COMPARED.items():
        if not np.isclose(earlier[name], now[name], rtol=NEARLY, atol=NEGLIGIBLE, equal_nan=True):
            yield words
    if earlier[CODE] != now[CODE]:
        yield CODE
