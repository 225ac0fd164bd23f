"""The best known variance of one component and of several, draw by draw, and whether a run knows a better one."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from datetime import date
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.document import COMPONENTS, DATASET, METHOD, Columns, Entry, Field, Row, Table, tabled
from spcabench.report.model import Results
from spcabench.store.status import FINISHED
from spcabench.suite.yaml_source import suite_folders

FILE = "best_known.csv"
"""Beside the suites: a line for each draw, number of components and number of nonzeros of each."""

VALUE, BOUND = "component_value@1", "component_bound@1"
SHARE = "cpev"
"""What is compared of several components, which no bound of one applies to: the share of the variance that they span.
No loadings span more than those of dense PCA do."""

TOLERANCE = 1e-9
"""A value is better if it is larger by more than this share."""

PLACE = ["draw", "components", "nonzeros"]
"""What a value is the best of."""

OF_SEVERAL = (
    "Of several components the value is the share of the variance that they span, and the bound is that of dense PCA "
    "with as many: the bound of one component does not apply to several, and no sparse ones need reach PCA's."
)


@dataclass(frozen=True)
class Line:
    """A line of the file.

    Parameters
    ----------
    draw : str
        The hash of the data set, its parameters, its preprocessing and its seed.
    dataset : str
        What the suite calls it.
    components, nonzeros : int
        How many, and the nonzeros of each.
    value, bound : float
        Of one component its variance w'Sw, and the least proved bound of any with as many nonzeros.  Of several the
        share of the variance in the span of their loadings, and that of dense PCA with as many components.
    method, date : str
        Which found it, and when.
    """

    draw: str
    dataset: str
    components: int
    nonzeros: int
    value: float
    bound: float
    method: str
    date: str

    @property
    def place(self) -> tuple[str, int, int]:
        """What it is the best of: a draw, a number of components, and the nonzeros of each."""
        return self.draw, self.components, self.nonzeros

    @property
    def text(self) -> str:
        """The line as the file has it."""
        out = io.StringIO()
        cells = (f"{cell:.12g}" if isinstance(cell, float) else cell for cell in astuple(self))
        csv.writer(out, lineterminator="").writerow(cells)
        return out.getvalue()


@dataclass(frozen=True)
class Beside:
    """The best value of a run, and the best known before."""

    here: Line
    known: Line | None

    @property
    def verdict(self) -> str:
        """How they compare."""
        if self.known is None:
            return "not known"
        apart = self.here.value / self.known.value - 1.0
        return "better" if apart > TOLERANCE else "as good" if apart >= -TOLERANCE else f"{-100 * apart:.2g} % below"

    @property
    def proposed(self) -> str:
        """The line that belongs into the file; empty if it has one as good."""
        return self.here.text if self.verdict in ("better", "not known") else ""


@cache
def known() -> Mapping[tuple[str, int, int], Line]:
    """Read the file."""
    types = {"components": int, "nonzeros": int, "value": float, "bound": float}
    files = [folder / FILE for folder in suite_folders() if (folder / FILE).is_file()]
    rows = [row for file in files for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    lines = [Line(**{name: types.get(name, str)(cell) for name, cell in row.items()}) for row in rows]
    return {line.place: line for line in lines}


def beside(results: Results) -> Iterator[Beside]:
    """Yield the best value of each draw, components and nonzeros of a run, beside the best known: first of one."""
    for cells in (_of_one(results.frame), _of_several(results.frame)):
        for _, alike in cells.groupby(PLACE, sort=False):
            first = alike[alike["value"] >= alike["value"].max() * (1.0 - TOLERANCE)].iloc[0]
            bound = float(alike["bound"].min())  # the least, as each is valid
            size = int(first["components"]), int(first["nonzeros"])
            values, about = (float(first["value"]), bound), (str(first["method"]), str(date.today()))
            line = Line(str(first["draw"]), str(first["dataset"]), *size, *values, *about)
            yield Beside(line, known().get(line.place))


def _cells(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return the cells that finished with a value and loadings: of which draw and size they are, and the value."""
    values = frame[value] if value in frame else pd.Series(math.nan, index=frame.index)
    done = frame.assign(value=values.astype(float), bound=math.nan)[frame["status"].isin(FINISHED) & values.notna()]
    named = done.rename(columns={"draw_id": "draw", "n_components": "components"})
    return named.assign(nonzeros=[int(nnz[0]) if nnz else 0 for nnz in done["nnz"]])


def _of_one(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the first components, each with the bound that was proved, if one was."""
    cells = _cells(frame, VALUE).assign(components=1)
    cells = cells.assign(bound=cells[BOUND]) if BOUND in cells else cells
    return cells[cells["nonzeros"] > 0]


def _of_several(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the cells of fixed data with several components of as many nonzeros each; dense ones are the bound."""
    cells = _cells(frame, SHARE)
    cells = cells[~cells["random_data"].astype(bool) & (cells["components"] > 1)]
    is_dense = cells["knob"] == "none"
    dense = cells["value"].where(is_dense).groupby([cells["draw"], cells["components"]]).transform("max")
    is_even = np.array([len(set(nnz)) == 1 for nnz in cells["nnz"]], dtype=bool)
    return cells.assign(bound=dense)[is_even & ~is_dense]


COLUMNS: Columns[Beside] = (
    (DATASET, lambda one: one.here.dataset),
    (Field("n_components", "components", numeric=True, rank=1), lambda one: one.here.components),
    (Field("nonzeros", "nonzeros", numeric=True), lambda one: one.here.nonzeros),
    (Field("value", "best here", numeric=True), lambda one: one.here.value),
    (Field("method", "by"), lambda one: one.here.method),
    (Field("bound", "bound", numeric=True, rank=1), lambda one: one.here.bound),
    (Field("gap", "gap to the bound", numeric=True), lambda one: Entry(1 - one.here.value / one.here.bound, unit="%")),
    (Field("known", "best known", numeric=True, rank=1), lambda one: one.known.value if one.known else None),
    (
        Field("known_by", "by, on", rank=1),
        lambda one: Entry(f"{one.known.method}, {one.known.date}" if one.known else None),
    ),
    (Field("verdict", "verdict"), lambda one: one.verdict),
    (Field("line", f"line for {FILE}", rank=2), lambda one: one.proposed or None),
)


def table(results: Results) -> Table | None:
    """Set the best values of a run beside the best known."""
    found = list(beside(results))
    better, new = (sum(one.verdict == verdict for one in found) for verdict in ("better", "not known"))
    caption = (
        f"The largest variance of a first component with so many nonzeros, beside the best known in suites/{FILE}: "
        f"{better} of {len(found)} are better, {new} are not known there.  The bound is proved, and the gap is the "
        f"distance to it.  {OF_SEVERAL}  The last column has the line that belongs into the file."
    )
    return tabled("best_known", caption, COLUMNS, found)


SEVERAL: Columns[dict[str, Any]] = (
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
    best = {one.here.place: max(line.value for line in (one.here, one.known) if line) for one in beside(results)}
    cells = _of_several(results.frame)
    known = cells.assign(best=[best[place] for place in cells[PLACE].itertuples(index=False, name=None)])
    known = known.assign(order=known["dataset"].map(results.datasets.index), worse=-known["value"])
    rows = known.sort_values(["order", "components", "nonzeros", "worse"], kind="stable").to_dict("records")
    reached = [{str(name): value for name, value in row.items()} for row in rows]
    caption = f"Several components of as many nonzeros each, on data without chance.  {OF_SEVERAL}"
    return tabled("several", caption, SEVERAL, reached, lambda one, entries: Row(entries, one["method"]))
