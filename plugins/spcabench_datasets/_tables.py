"""What is done to a table before it is a matrix: columns left out, missing values, columns that do not vary."""

from __future__ import annotations

from collections.abc import Sequence
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

TABLE_PARAMETERS = {
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


def without(file: Path, frame: pd.DataFrame, names: Sequence[str | int], doing: str = "") -> pd.DataFrame:
    """Leave out columns; raise a ValueError if there is no such column."""
    for name in names:
        if name not in frame.columns:
            raise ValueError(f"{file} has no column '{name}'{doing}{nearest(name, map(str, frame.columns))}")
    return frame.drop(columns=list(names))


def cleaned(file: Path, frame: pd.DataFrame, missing: str, constant: str) -> tuple[pd.DataFrame, Rows, list[str]]:
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

    Returns
    -------
    DataFrame
        What is left.
    ndarray of bool
        Which of the rows these are.
    list of str
        What was done.

    Raises
    ------
    ValueError
        If a column has no value at all, no row is complete, or no column is left.
    """
    lacking = frame.isna()
    rows: Rows = np.ones(len(frame), dtype=bool)
    notes: list[str] = []
    if missing != "error" and lacking.to_numpy().any():
        columns = _named(frame.columns[lacking.any()])
        if lacking.all().any():
            empty = frame.columns[lacking.all()]
            raise ValueError(
                f"{file}: no value in {_named(empty)}; leave them out by drop: [{', '.join(map(str, empty))}]"
            )
        if missing == "median":
            frame = frame.fillna(frame.median())
            filled = f"{int(lacking.to_numpy().sum())} missing values of {columns} filled with medians"
            notes.append(f"{filled}, which makes variances smaller")
        else:
            rows = ~(lacking.all(axis=1) if missing == "em" else lacking.any(axis=1)).to_numpy()
            if not rows.any():
                raise ValueError(
                    f"{file}: each row lacks a value of {columns}; set missing: median or missing: em, or leave "
                    "columns out by drop"
                )
            why = "have no value" if missing == "em" else f"lack values of {columns}"
            notes += [] if rows.all() else [f"{np.sum(~rows)} of {len(rows)} rows left out, which {why}"]
            frame = frame[rows]
    if constant == "drop":
        values = frame.to_numpy(dtype=np.float64, na_value=np.nan)
        low, high = np.fmin.reduce(values), np.fmax.reduce(values)  # of the values that are there
        flat = high - low <= FLAT * np.maximum(1.0, np.abs(high))
        if flat.all():
            raise ValueError(f"{file}: no column varies")
        notes += [f"constant, left out: {_named(frame.columns[flat])}"] if flat.any() else []
        frame = frame.loc[:, ~flat]
    return frame, rows, notes


def _named(columns: pd.Index[str]) -> str:
    more = len(columns) - MOST_NAMED
    return ", ".join(f"'{name}'" for name in columns[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
