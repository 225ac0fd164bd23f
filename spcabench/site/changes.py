"""The scores of this site beside those of an earlier one: what each method had and has, and what changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.document import METHOD, Columns, Field, tabled
from spcabench.report.groups import records
from spcabench.report.standings import NEGLIGIBLE
from spcabench.site.pages import QUESTION, Page, right, section
from spcabench.wording import InputError

KEYS = [QUESTION.name, METHOD.name]
COMPARED = {"tier": "tier", "rank": "mean rank", "value": "value"}
CODE, WHEN = "code", ("before", "now")

NEARLY = 1e-6
"""Scores are alike that differ by no more than this share."""

Row = Mapping[str, Any]
"""The scores of a method in a question, earlier and now."""


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
    numbers = {field.name: pd.to_numeric(both[field.name], errors="coerce") for field in fields}
    rows = records(both.assign(**numbers))
    columns: Columns[Row] = (
        *((field, itemgetter(field.name)) for field in (QUESTION, METHOD, *fields)),
        (Field("changed", "changed"), lambda row: ", ".join(_changed(row))),
    )
    n_changed = sum(any(_changed(row)) for row in rows)
    lead = f"{n_changed} of {len(rows)} rows differ.  Ranks and tiers move with the other methods, too."
    caption = "Values are as in leaderboard.csv.  Code: the program of the method is another."
    return Page(path, "changes", "What changed", lead, (section("Scores", tabled("", caption, columns, rows)),))


def _changed(row: Row) -> Iterator[str]:
    """Yield what of the scores of a method is another now."""
    if row["sites"] != "both":
        yield "new" if row["sites"] == "right_only" else "gone"
        return
    for name, words in COMPARED.items():
        before, now = (row[f"{name}_{when}"] for when in WHEN)
        if not np.isclose(before, now, rtol=NEARLY, atol=NEGLIGIBLE, equal_nan=True):
            yield words
    if str(row[f"{CODE}_before"]) != str(row[f"{CODE}_now"]):
        yield CODE
