"""The best known variance of one component and of several, draw by draw, and whether a run knows a better one."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

import numpy as np
import pandas as pd

from spcabench.report.model import Results
from spcabench.report.parts import COMPONENTS, DATASET, METHOD, Entry, Field, Row, Table
from spcabench.report.tabled import Columns, tabled
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

Place = tuple[str, int, int]
"""A draw, a number of components, and the nonzeros of each."""


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
    def place(self) -> Place:
        """What it is the best of."""
        return self.draw, self.components, self.nonzeros

    @property
    def text(self) -> str:
        """The line as the file has it."""
        out = io.StringIO()
        sizes = self.components, self.nonzeros
        cells = self.draw, self.dataset, *sizes, f"{self.value:.12g}", f"{self.bound:.12g}"
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

    @property
    def best(self) -> float:
        """The larger of the two values."""
        return max(self.here.value, self.known.value if self.known else -math.inf)


@cache
def known() -> Mapping[Place, Line]:
    """Read the file."""
    files = [folder / FILE for folder in suite_folders() if (folder / FILE).is_file()]
    found: dict[Place, Line] = {}
    for file in files:
        with file.open(encoding="utf-8", newline="") as text:
            for row in csv.DictReader(text):
                sizes = int(row["components"]), int(row["nonzeros"])
                numbers = float(row["value"]), float(row["bound"])
                line = Line(row["draw"], row["dataset"], *sizes, *numbers, row["method"], row["date"])
                found[line.place] = line
    return found


def beside(results: Results) -> Iterator[Beside]:
    """Yield the best value of each draw, components and nonzeros of a run, beside the best known: first of one."""
    for here in (*_of_one(results), *_of_several(results)):
        yield Beside(here, known().get(here.place))


@dataclass(frozen=True)
class Reaching:
    """A cell with its value, and the bound of it if there is one."""

    dataset: str
    method: str
    value: float
    bound: float


def _of_one(results: Results) -> Iterator[Line]:
    """Yield the best first components."""
    frame = results.frame
    if VALUE not in frame:
        return
    frame = frame[frame["status"].isin(FINISHED) & frame[VALUE].notna()]
    bounds = frame[BOUND] if BOUND in frame else [math.nan] * len(frame)
    columns = (frame["draw_id"], frame["nnz"], frame["dataset"], frame["method"], frame[VALUE], bounds)
    found: dict[tuple[str, int], list[Reaching]] = {}
    for draw, nnz, *about in zip(*map(list, columns), strict=True):
        if nnz and nnz[0] > 0:
            found.setdefault((str(draw), int(nnz[0])), []).append(Reaching(*about))
    for (draw, size), several in found.items():
        known = [one.bound for one in several if not math.isnan(one.bound)]
        yield _best(draw, 1, size, several, min(known, default=math.nan))  # the least, as each is valid


def several(results: Results) -> pd.DataFrame:
    """Return the cells of fixed data with a share, and several components of as many nonzeros each; of dense, too."""
    frame = results.frame
    if SHARE not in frame:
        return frame.iloc[:0]
    fixed = frame["status"].isin(FINISHED) & frame[SHARE].notna() & ~frame["random_data"].astype(bool)
    frame = frame[fixed & (frame["n_components"] > 1)]
    even = [dense or len(set(nnz)) == 1 for dense, nnz in zip(frame["knob"] == "none", frame["nnz"], strict=True)]
    return frame[np.array(even, dtype=bool)]


def dense_shares(frame: pd.DataFrame) -> Mapping[tuple[str, int], float]:
    """Return the largest share of methods without a target, by draw and number of components."""
    dense = frame[frame["knob"] == "none"]
    return {
        (str(draw), int(str(n))): float(rows[SHARE].max())
        for (draw, n), rows in dense.groupby(["draw_id", "n_components"], sort=False)
    }


def _of_several(results: Results) -> Iterator[Line]:
    frame = several(results)
    shares = dense_shares(frame)
    sparse = frame[frame["knob"] != "none"]
    if sparse.empty:
        return
    found: dict[Place, list[Reaching]] = {}
    columns = (sparse[name] for name in ("draw_id", "n_components", "nnz", "dataset", "method", SHARE))
    for draw, n, nnz, dataset, method, share in zip(*map(list, columns), strict=True):
        found.setdefault((str(draw), int(n), int(nnz[0])), []).append(Reaching(dataset, method, share, math.nan))
    for (draw, n, size), reaching in found.items():
        yield _best(draw, n, size, reaching, shares.get((draw, n), math.nan))


def _best(draw: str, components: int, size: int, found: Sequence[Reaching], bound: float) -> Line:
    """Return the first of the best values."""
    least = max(one.value for one in found) * (1.0 - TOLERANCE)
    first = next(one for one in found if one.value >= least)
    return Line(draw, first.dataset, components, size, first.value, bound, first.method, str(date.today()))


COLUMNS: Columns[Beside] = (
    (DATASET, lambda one: Entry(one.here.dataset)),
    (Field("n_components", "components", numeric=True), lambda one: Entry(one.here.components)),
    (Field("nonzeros", "nonzeros", numeric=True), lambda one: Entry(one.here.nonzeros)),
    (Field("value", "best here", numeric=True), lambda one: Entry(one.here.value)),
    (Field("method", "by"), lambda one: Entry(one.here.method)),
    (Field("bound", "bound", numeric=True), lambda one: Entry(one.here.bound)),
    (
        Field("gap", "gap to the bound", numeric=True),
        lambda one: Entry(1.0 - one.here.value / one.here.bound, unit="%"),
    ),
    (Field("known", "best known", numeric=True), lambda one: Entry(one.known.value if one.known else None)),
    (Field("known_by", "by, on"), lambda one: Entry(f"{one.known.method}, {one.known.date}" if one.known else None)),
    (Field("verdict", "verdict"), lambda one: Entry(one.verdict)),
    (Field("line", f"line for {FILE}"), lambda one: Entry(one.proposed or None)),
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
    return tabled("best_known", caption, COLUMNS, found, lambda one, entries: Row(entries))


OF_SEVERAL = (
    "Of several components the value is the share of the variance that they span, and the bound is that of dense PCA "
    "with as many: the bound of one component does not apply to several, and no sparse ones need reach PCA's."
)


@dataclass(frozen=True)
class Reached:
    """What a method reached with several components: its share, the best known one, and that of dense PCA."""

    dataset: str
    components: int
    nonzeros: int
    method: str
    share: float
    best: float
    dense: float


def reached(results: Results) -> list[Reached]:
    """Return what each method reached with several components, the largest share of each comparison first."""
    frame = several(results)
    dense = dense_shares(frame)
    best = {one.here.place: one.best for one in beside(results)}
    found = []
    for cell in frame[frame["knob"] != "none"].to_dict("records"):
        draw, n, size = str(cell["draw_id"]), int(cell["n_components"]), int(cell["nnz"][0])
        about = str(cell["dataset"]), n, size, str(cell["method"])
        found.append(Reached(*about, float(cell[SHARE]), best[draw, n, size], dense.get((draw, n), math.nan)))
    order = {name: place for place, name in enumerate(results.datasets)}
    return sorted(found, key=lambda one: (order[one.dataset], one.components, one.nonzeros, -one.share))


SEVERAL: Columns[Reached] = (
    (DATASET, lambda one: Entry(one.dataset)),
    (COMPONENTS, lambda one: Entry(one.components)),
    (Field("nonzeros", "nonzeros", numeric=True), lambda one: Entry(one.nonzeros)),
    (METHOD, lambda one: Entry(one.method)),
    (Field("share", "share of variance", numeric=True), lambda one: Entry(one.share, unit="share")),
    (
        Field("below_best", "below the best known", numeric=True),
        lambda one: Entry(max(0.0, 1.0 - one.share / one.best), best=one.share >= one.best * (1 - TOLERANCE), unit="%"),
    ),
    (Field("below_dense", "below PCA", numeric=True), lambda one: Entry(1.0 - one.share / one.dense, unit="%")),
)


def several_table(results: Results) -> Table | None:
    """Make the table of gaps of several components: to the best known, and to the share of dense PCA."""
    found = reached(results)
    caption = f"Several components of as many nonzeros each, on data without chance.  {OF_SEVERAL}"
    return tabled("several", caption, SEVERAL, found, lambda one, entries: Row(entries, one.method))
