"""What is done to a table before it is a matrix: columns left out, missing values, columns that do not vary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Either, ListOf, OneOf, Parameter, Text, Whole, nearest

if TYPE_CHECKING:
    import pandas as pd

Rows = NDArray[np.bool_]

FLAT = 1e-12
"""A column is constant if its range is at most this share of its largest value, or of 1 if that is larger."""
MOST_NAMED = 5
"""Columns that a note or an error names; the rest is counted."""

TABLE_PARAMETERS: Mapping[str, Parameter] = {
    "drop": Parameter(
        None, Either(NOTHING, ListOf(Either(Text("a column"), Whole()))), "columns left out, by name or by number"
    ),
    "missing": Parameter(
        "error",
        OneOf("error", "drop", "median", "em"),
        "missing values: an error, their rows left out, filled with the median of the column, or second moments by "
        "expectation maximisation, to which the methods that need no samples are fitted",
    ),
    "factors": Parameter(5, Whole(0), "of missing: em: the factors of its Gaussian model"),
    "constant": Parameter("keep", OneOf("keep", "drop"), "columns that do not vary: kept, or left out"),
}
"""The parameters that the data sets of tables share."""


@dataclass(frozen=True)
class Cleaned:
    """A table of numbers, which of its rows are left, and what was done to it."""

    frame: pd.DataFrame
    rows: Rows
    notes: tuple[str, ...]


def without_columns(file: Path, frame: pd.DataFrame, drop: Sequence[str | int] | None) -> pd.DataFrame:
    """Leave out columns.

    Raises
    ------
    ValueError
        If there is no such column.
    """
    for name in drop or ():
        if name not in frame.columns:
            raise ValueError(f"{file} has no column '{name}' to drop{nearest(name, map(str, frame.columns))}")
    return frame.drop(columns=list(drop or ()))


def cleaned(file: Path, frame: pd.DataFrame, missing: str, constant: str) -> Cleaned:
    """See to missing values, and then to columns that do not vary.

    Parameters
    ----------
    file : Path
        For messages.
    frame : DataFrame
        Of numbers alone.
    missing : {"error", "drop", "median", "em"}
        With ``error`` they stay, and who reads on names the first; with ``em`` too, but rows without a value go.
    constant : {"keep", "drop"}
        What becomes of columns that do not vary.

    Raises
    ------
    ValueError
        If a column has no value at all, no row is complete, or no column is left.
    """
    lacking = frame.isna()
    rows: Rows = np.ones(len(frame), dtype=bool)
    notes: list[str] = []
    if missing != "error" and lacking.to_numpy().any():
        columns = [str(name) for name in frame.columns[lacking.any()]]
        empty = [str(name) for name in frame.columns[lacking.all()]]
        if empty:
            raise ValueError(f"{file}: no value in {_named(empty)}; leave them out by drop: [{', '.join(empty)}]")
        if missing == "em":
            rows = ~lacking.all(axis=1).to_numpy()
            frame = frame[rows]
            notes += [f"{np.sum(~rows)} of {len(rows)} rows left out, which have no value"] if not rows.all() else []
        elif missing == "drop":
            rows = ~lacking.any(axis=1).to_numpy()
            frame = _complete(file, frame, rows, columns)
            notes.append(f"{np.sum(~rows)} of {len(rows)} rows left out, which lack values of {_named(columns)}")
        else:
            frame = frame.fillna(frame.median())
            notes.append(
                f"{int(lacking.to_numpy().sum())} missing values of {_named(columns)} filled with medians, which makes "
                "variances smaller"
            )
    if constant == "drop":
        frame, left_out = _varying(file, frame)
        notes += [f"constant, left out: {_named(left_out)}"] if left_out else []
    return Cleaned(frame, rows, tuple(notes))


def _complete(file: Path, frame: pd.DataFrame, rows: Rows, columns: Sequence[str]) -> pd.DataFrame:
    if not rows.any():
        raise ValueError(
            f"{file}: each row lacks a value of {_named(columns)}; set missing: median or missing: em, or leave "
            "columns out by drop"
        )
    return frame[rows]


def _varying(file: Path, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns that vary, and the names of the others."""
    values = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)  # of the values that are there
    flat = high - low <= FLAT * np.maximum(1.0, np.abs(high))
    if flat.all():
        raise ValueError(f"{file}: no column varies")
    return frame.loc[:, ~flat], [str(name) for name in frame.columns[flat]]


def _named(columns: Sequence[str]) -> str:
    more = len(columns) - MOST_NAMED
    return ", ".join(f"'{name}'" for name in columns[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
