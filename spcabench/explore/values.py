"""What is done to values, missing ones and scales, and what readers must know of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from spcabench.foreign.formats import Table
from spcabench.report.render.text import listed
from spcabench.specs import Array
from spcabench.wording import Fault, InputError

LACKING = 0.3
"""A column is left out if a larger share of its values is missing."""
COMPLETE = 0.9
"""Rows that lack values are left out if at least this share of them is complete."""
FAR_APART, APART = 10.0, 3.0
"""Ratios of the largest standard deviation to the smallest: standardised beyond the one, warned of beyond the other."""
EQUAL = 1.001
"""A ratio up to which they are equal: the table was standardised, and is to be so where rows are left out."""
FEW = 20
"""With fewer samples there is nothing to hold out."""
MOST_NAMED = 5
SENTINELS = (-9999, -999, -99, 99, 999, 9999)
"""Numbers that often stand for a missing value."""
AMOUNT = r"\s*[-+]?\s*[$€£¥]?\s*[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s*[%$€£¥]?\s*"
"""A number that may have a sign of percent or of a currency; commas part its thousands."""
Missing = Literal["error", "drop", "median"]


def seconds_of(text: str) -> float:
    """Read a budget.

    Raises
    ------
    InputError
        If it is no time.

    Examples
    --------
    >>> seconds_of("90s"), seconds_of("2min"), seconds_of("45")
    (90.0, 120.0, 45.0)
    """
    plain = text.strip().lower()
    unit = "s" if plain.replace(".", "", 1).isdigit() else ""
    seconds = float(pd.to_timedelta(plain + unit, errors="coerce").total_seconds())
    if not seconds > 0:
        raise InputError(Fault(f"'{text}' is no time; valid are 90s, 2min or 1h", "--budget"))
    return seconds


@dataclass(frozen=True)
class Remark:
    """What was found in a table, what is done, and the option that does otherwise; empty if there is none.

    One that is a warning may spoil what is computed.
    """

    found: str
    done: str
    otherwise: str = ""
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.found}: {self.done}" + (f" (otherwise {self.otherwise})" if self.otherwise else "")


def without_units(source: Table) -> Table:
    """Read columns of percentages and of amounts of money as numbers, and note it."""
    texts = source.frame.select_dtypes(["object", "string"])
    known = {str(name): texts[name].dropna().astype(str).str for name in texts}
    found = [name for name, text in known.items() if text.fullmatch(AMOUNT).all() and text.contains("[%$€£¥]").any()]
    if not found:
        return source
    text = texts[found].astype("string")
    plain = {name: text[name].str.replace(r"[^\d.+-]", "", regex=True).astype(float) for name in found}
    loop = f"for name in {found!r}:"
    line = '    table[name] = table[name].astype("string").str.replace(r"[^\\d.+-]", "", regex=True).astype(float)'
    note = (f"{named(found)} have a sign of percent or of a currency", "read as numbers without it", "--drop COLUMN")
    code = "\n".join([source.code, loop, line])
    return replace(source, frame=source.frame.assign(**plain), code=code, notes=(*source.notes, note))


def named(columns: Iterable[str]) -> str:
    """Return the names of the first columns, and how many more there are."""
    return listed([f"'{name}'" for name in columns], MOST_NAMED)


def filled_by(features: pd.DataFrame, wanted: Missing | None, remarks: list[Remark]) -> Missing:
    """Return what becomes of missing values, and remark on it."""
    lacking = features.isna()
    if not lacking.to_numpy().any():
        return "error"
    complete = ~lacking.any(axis=1)
    if wanted == "error":
        row = int(complete.to_numpy().argmin())
        raise InputError(
            f"column '{lacking.columns[lacking.iloc[row]][0]}', row {row + 1} has no value, and "
            f"{int(lacking.to_numpy().sum()) - 1} more cells; leave such rows out by --missing drop, or "
            "fill in medians by --missing median"
        )
    chosen: Missing = wanted or ("drop" if complete.mean() >= COMPLETE else "median")
    found = f"{int((~complete).sum())} of {len(features)} rows lack values of {named(features.columns[lacking.any()])}"
    remarks.append(Remark(found, *_MISSING[chosen]))
    return chosen


_MISSING = {
    "drop": ("rows left out", "--missing median"),
    "median": ("filled with medians, which makes variances smaller", "--missing drop"),
}
"""What is done where values are missing, and otherwise."""


def scale_of(features: pd.DataFrame, wanted: bool | None, remarks: list[Remark]) -> Literal["none", "standardise"]:
    """Standardise features whose deviations are far apart, or equal; warn where one has most of the variance."""
    if features.empty or (wanted is None and all(dtype.kind == "b" for dtype in features.dtypes)):
        return "none"
    sd = features.astype(np.float64).std(ddof=0)
    ratio, share = float(sd.max() / sd.min()), float(sd.max() ** 2 / np.sum(sd**2))
    if wanted is None and ratio <= EQUAL and len(sd) > 1:
        remarks.append(Remark("standard deviations are equal", "standardised, other rows too", "--no-standardise"))
        return "standardise"
    found = f"standard deviations differ {ratio:.3g}-fold; '{sd.idxmax()}' has {share:.1%} of the variance"
    if wanted or (wanted is None and ratio > FAR_APART):
        remarks.append(Remark(found, "standardised", "--no-standardise"))
        return "standardise"
    if ratio > FAR_APART:
        done = "centred only, as asked; the components are those of the columns of largest scale"
        remarks.append(Remark(found, done, "--standardise", warning=True))
    elif ratio > APART and share > max(LACKING, 5 / len(sd)):
        remarks.append(Remark(found, "centred only", "--standardise", warning=True))
    return "none"


def cautions(frame: pd.DataFrame, features: pd.DataFrame) -> Iterator[Remark]:
    """Yield what a reader of the results must know."""
    if len(frame) < FEW:
        yield Remark(f"{len(frame)} samples", "nothing is held out, and stability is not judged", warning=True)
    numbers = frame.select_dtypes("number").to_numpy(dtype=np.float64, na_value=np.nan)
    rows = pd.Series([row.tobytes() for row in numbers + 0.0], index=frame.index)  # -0.0 is 0.0 then
    repeated = int(pd.concat([frame.select_dtypes(exclude="number"), rows], axis=1).duplicated().sum())
    if repeated:
        yield Remark(f"{repeated} rows repeat others", "kept; what is held out is then known already")
    some = np.flatnonzero(np.isin(features.to_numpy(dtype=np.float64, na_value=np.nan), SENTINELS).any(axis=0))
    for name in features.columns[some]:
        column = features[name].to_numpy(dtype=np.float64, na_value=np.nan)
        for value in sentinels_in(column):
            found = f"'{name}' is {value} in {np.sum(column == value)} rows, far from all other values"
            yield Remark(found, "kept as a number", "write NA where a value is missing", warning=True)


def sentinels_in(column: Array) -> list[int]:
    """Return the sentinels that a column has more than once, farther from its other values than these are apart.

    Examples
    --------
    >>> sentinels_in(np.array([0.2, -999, 0.4, 0.9, -999]))
    [-999]
    """
    rest = column[~np.isnan(column) & ~np.isin(column, SENTINELS)]
    if len(np.unique(rest)) < 3:
        return []
    gap = np.ptp(rest)
    repeated = [value for value in SENTINELS if np.sum(column == value) > 1]
    return [value for value in repeated if value < rest.min() - gap or value > rest.max() + gap]
