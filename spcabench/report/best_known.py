"""The best known variance of one component and of several, draw by draw, and whether a run knows a better one."""

from __future__ import annotations

import math
from datetime import date
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.document import COMPONENTS, DATASET, METHOD, Columns, Entry, Field, Table, records, tabled
from spcabench.report.model import Results
from spcabench.store.status import FINISHED
from spcabench.suite.yaml_source import suite_folders

FILE = "best_known.csv"
"""Beside the suites: a line for each draw, number of components and number of nonzeros of each."""

LINE = ["draw", "dataset", "components", "nonzeros", "value", "bound", "method", "date"]
"""Its columns.  The draw is the hash of the data set, its parameters, its preprocessing and its seed.  Of one component
the value is its variance w'Sw, and the bound the least proved one of any with as many nonzeros; of several they are the
share of the variance in the span of their loadings, and that of dense PCA with as many components."""

PLACE = ["draw", "components", "nonzeros"]
"""What a value is the best of."""

VALUE, BOUND = "component_value@1", "component_bound@1"
SHARE = "cpev"
"""What is compared of several components, which no bound of one applies to: the share of the variance that they span.
No loadings span more than those of dense PCA do."""

TOLERANCE = 1e-9
"""A value is better if it is larger by more than this share."""

OF_SEVERAL = (
    "Of several components the value is the share of the variance that they span, and the bound is that of dense PCA "
    "with as many: the bound of one component does not apply to several, and no sparse ones need reach PCA's."
)


@cache
def known() -> pd.DataFrame:
    """Read the file."""
    files = [folder / FILE for folder in suite_folders() if (folder / FILE).is_file()]
    lines = [pd.DataFrame(columns=LINE), *map(pd.read_csv, files)]
    return pd.concat(lines[1:] or lines, ignore_index=True).drop_duplicates(PLACE, keep="last")


def text_of(line: dict[str, Any]) -> str:
    """Return a line as the file has it."""
    frame = pd.DataFrame([line], columns=LINE)
    return str(frame.to_csv(header=False, index=False, float_format="%.12g")).rstrip("\n")


def beside(results: Results) -> pd.DataFrame:
    """Return the best value of each draw, components and nonzeros of a run, with the best known: first of one.

    Returns
    -------
    DataFrame
        The columns of the file, those of what is known with ``_known`` behind them, and the verdict.
    """
    cells = pd.concat([_of_one(results.frame), _of_several(results.frame)], ignore_index=True)
    alike = cells.groupby(PLACE, sort=False)
    reaches = cells["value"] >= alike["value"].transform("max") * (1.0 - TOLERANCE)
    cells["bound"] = alike["bound"].transform("min")  # the least, as each is valid
    cells["place"] = alike.ngroup()
    first = cells[reaches].drop_duplicates(PLACE).sort_values("place").assign(date=str(date.today()))[LINE]
    both = first.merge(known(), on=PLACE, how="left", suffixes=("", "_known"))
    return both.assign(verdict=list(map(_verdict, both["value"], both["value_known"])))


def _verdict(here: float, known: float) -> str:
    if math.isnan(known):
        return "not known"
    apart = here / known - 1.0
    return "better" if apart > TOLERANCE else "as good" if apart >= -TOLERANCE else f"{-100 * apart:.2g} % below"


def _cells(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return the cells that finished with a positive value: of which draw and size they are, and the value.

    Loadings that capture nothing, as those of all zeros, are the best known of no place.
    """
    values = frame[value] if value in frame else pd.Series(math.nan, index=frame.index)
    done = frame.assign(value=values.astype(float), bound=math.nan)[frame["status"].isin(FINISHED) & (values > 0)]
    named = done.rename(columns={"draw_id": "draw", "n_components": "components"})
    return named.assign(nonzeros=np.array([nnz[0] if nnz else 0 for nnz in done["nnz"]], dtype=int))


def _of_one(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the first components, each with the bound that was proved, if one was."""
    cells = _cells(frame, VALUE).assign(components=1)
    cells = cells.assign(bound=cells[BOUND].astype(float)) if BOUND in cells else cells
    return cells[cells["nonzeros"] > 0]


def _of_several(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the cells of fixed data with several components of as many nonzeros each; dense ones are the bound."""
    cells = _cells(frame, SHARE)
    cells = cells[~cells["random_data"].astype(bool) & (cells["components"] > 1)]
    is_dense = cells["knob"] == "none"
    dense = cells["value"].where(is_dense).groupby([cells["draw"], cells["components"]]).transform("max")
    is_even = np.array([len(set(nnz)) == 1 for nnz in cells["nnz"]], dtype=bool)
    return cells.assign(bound=dense)[is_even & ~is_dense]


Cell = dict[str, Any]

COLUMNS: Columns[Cell] = (
    (DATASET, lambda one: one["dataset"]),
    (Field("n_components", "components", numeric=True, rank=1), lambda one: one["components"]),
    (Field("nonzeros", "nonzeros", numeric=True), lambda one: one["nonzeros"]),
    (Field("value", "best here", numeric=True), lambda one: one["value"]),
    (Field("method", "by"), lambda one: one["method"]),
    (Field("bound", "bound", numeric=True, rank=1), lambda one: one["bound"]),
    (Field("gap", "gap to the bound", numeric=True), lambda one: Entry(1 - one["value"] / one["bound"], unit="%")),
    (Field("known", "best known", numeric=True, rank=1), lambda one: one["value_known"]),
    (Field("known_by", "by, on", rank=1), lambda one: _known_by(one)),
    (Field("verdict", "verdict"), lambda one: one["verdict"]),
    (Field("line", f"line for {FILE}", rank=2), lambda one: _line(one)),
)


def _known_by(one: Cell) -> str | None:
    return None if one["verdict"] == "not known" else f"{one['method_known']}, {one['date_known']}"


def _line(one: Cell) -> str | None:
    """Return the line that belongs into the file; None if it has one as good."""
    return text_of(one) if one["verdict"] in ("better", "not known") else None


def table(results: Results) -> Table | None:
    """Set the best values of a run beside the best known."""
    found = beside(results)
    better, new = (int((found["verdict"] == verdict).sum()) for verdict in ("better", "not known"))
    caption = (
        f"The largest variance of a first component with so many nonzeros, beside the best known in suites/{FILE}: "
        f"{better} of {len(found)} are better, {new} are not known there.  The bound is proved, and the gap is the "
        f"distance to it.  {OF_SEVERAL}  The last column has the line that belongs into the file."
    )
    return tabled("best_known", caption, COLUMNS, records(found))


SEVERAL: Columns[Cell] = (
    (DATASET, lambda one: one["dataset"]),
    (COMPONENTS, lambda one: one["components"]),
    (Field("nonzeros", "nonzeros", numeric=True), lambda one: one["nonzeros"]),
    (METHOD, lambda one: one["method"]),
    (Field("share", "share of variance", numeric=True), lambda one: Entry(one["value"], unit="share")),
    (Field("below_best", "below the best known", numeric=True), lambda one: _below_best(one["value"], one["best"])),
    (Field("below_dense", "below PCA", numeric=True), lambda one: Entry(1.0 - one["value"] / one["bound"], unit="%")),
)


def _below_best(share: float, best: float) -> Entry:
    return Entry(max(0.0, 1.0 - share / best), best=share >= best * (1 - TOLERANCE), unit="%")


def several_table(results: Results) -> Table | None:
    """Make the table of gaps of several components: to the best known, and to the share of dense PCA.

    It has what each method reached, the largest share of each comparison first.
    """
    best = beside(results).set_index(PLACE)[["value", "value_known"]].max(axis=1).rename("best")
    cells = _of_several(results.frame).join(best, on=PLACE)
    cells = cells.assign(order=cells["dataset"].map(results.datasets.index), worse=-cells["value"])
    rows = records(cells.sort_values(["order", "components", "nonzeros", "worse"], kind="stable"))
    caption = f"Several components of as many nonzeros each, on data without chance.  {OF_SEVERAL}"
    return tabled("several", caption, SEVERAL, rows)
