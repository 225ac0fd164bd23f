"""The best known variance of a first component, draw by draw, and whether a run knows a better one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

import pandas as pd

from spcabench.report.model import Results
from spcabench.report.parts import DATASET, Entry, Field, Row, Table
from spcabench.report.tabled import Columns, tabled
from spcabench.store.status import FINISHED
from spcabench.suite.load import suite_folders

FILE = "best_known.csv"
"""Beside the suites: a line for each draw and number of nonzeros."""

VALUE, BOUND = "component_value@1", "component_bound@1"

TOLERANCE = 1e-9
"""A value is better if it is larger by more than this share."""

Place = tuple[str, int]
"""A draw, and the nonzeros of its first component."""


@dataclass(frozen=True)
class Line:
    """A line of the file.

    Parameters
    ----------
    draw : str
        The hash of the data set, its parameters, its preprocessing and its seed.
    dataset : str
        What the suite calls it.
    nonzeros : int
        Of the loading.
    value, bound : float
        Its variance w'Sw, and the least proved bound of any with as many nonzeros.
    method, date : str
        Which found it, and when.
    """

    draw: str
    dataset: str
    nonzeros: int
    value: float
    bound: float
    method: str
    date: str

    @property
    def text(self) -> str:
        """The line as the file has it."""
        out = io.StringIO()
        cells = self.draw, self.dataset, self.nonzeros, f"{self.value:.12g}", f"{self.bound:.12g}"
        csv.writer(out, lineterminator="").writerow([*cells, self.method, self.date])
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
def known() -> Mapping[Place, Line]:
    """Read the file."""
    files = [folder / FILE for folder in suite_folders() if (folder / FILE).is_file()]
    found: dict[Place, Line] = {}
    for file in files:
        with file.open(encoding="utf-8", newline="") as text:
            for row in csv.DictReader(text):
                numbers = int(row["nonzeros"]), float(row["value"]), float(row["bound"])
                line = Line(row["draw"], row["dataset"], *numbers, row["method"], row["date"])
                found[line.draw, line.nonzeros] = line
    return found


def beside(results: Results) -> Iterator[Beside]:
    """Yield the best value of each draw and number of nonzeros of a run, beside the best known."""
    frame = results.frame
    if VALUE not in frame:
        return
    frame = frame[frame["status"].isin(FINISHED) & frame[VALUE].notna()]
    sizes = frame["nnz"].map(lambda nnz: nnz[0] if nnz else 0)
    for (draw, size), rows in frame[sizes > 0].groupby(["draw_id", sizes], sort=False):
        here = _best(str(draw), int(str(size)), rows)
        yield Beside(here, known().get((here.draw, here.nonzeros)))


def _best(draw: str, size: int, rows: pd.DataFrame) -> Line:
    """Return the first of the best values; the bound is the least, as each is valid."""
    least = rows[VALUE].max() * (1.0 - TOLERANCE)
    first = rows[rows[VALUE] >= least].iloc[0]
    bound = float(rows[BOUND].min()) if BOUND in rows else float("nan")
    return Line(draw, first["dataset"], size, float(first[VALUE]), bound, first["method"], str(date.today()))


COLUMNS: Columns[Beside] = (
    (DATASET, lambda one: Entry(one.here.dataset)),
    (Field("nonzeros", "nonzeros", numeric=True), lambda one: Entry(one.here.nonzeros)),
    (Field("value", "best here", numeric=True), lambda one: Entry(one.here.value)),
    (Field("method", "by"), lambda one: Entry(one.here.method)),
    (Field("bound", "proved bound", numeric=True), lambda one: Entry(one.here.bound)),
    (Field("known", "best known", numeric=True), lambda one: Entry(one.known.value if one.known else None)),
    (Field("known_by", "by, on"), lambda one: Entry(f"{one.known.method}, {one.known.date}" if one.known else None)),
    (Field("verdict", "verdict"), lambda one: Entry(one.verdict)),
    (Field("line", f"line for {FILE}"), lambda one: Entry(one.proposed or None)),
)


def table(results: Results) -> Table | None:
    """Set the best first components of a run beside the best known."""
    found = list(beside(results))
    better, new = (sum(one.verdict == verdict for one in found) for verdict in ("better", "not known"))
    caption = (
        f"The largest variance of a first component with so many nonzeros, beside the best known in suites/{FILE}: "
        f"{better} of {len(found)} are better, {new} are not known there.  The last column has the line that belongs "
        "into the file."
    )
    return tabled("best_known", caption, COLUMNS, found, lambda one, entries: Row(entries))
