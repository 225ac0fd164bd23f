"""The scores of this site beside those of an earlier one: what each method had and has, and what changed."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.document import METHOD, Columns, Field, tabled
from spcabench.report.groups import Cell, records
from spcabench.report.standings import NEGLIGIBLE
from spcabench.site.pages import QUESTION, Page, right, section
from spcabench.wording import InputError

KEYS = [QUESTION.name, METHOD.name]
COMPARED = {"tier": "tier", "rank": "mean rank", "value": "value"}
CODE, WHEN = "code", ("before", "now")

NEARLY = 1e-6
"""Scores are alike that differ by no more than this share."""


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
