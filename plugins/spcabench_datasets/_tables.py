"""What is done to a table before it is a matrix: columns left out, missing values, columns that do not vary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, Either, Number, OneOf, Parameter, Text, Whole, nearest
from spcabench_datasets._matrices import REMEDY, dataset_of, dataset_of_moments

if TYPE_CHECKING:
    import pandas as pd

Rows = NDArray[np.bool_]

FLAT = 1e-12
"""A column is constant if its range is at most this share of its largest value, or of 1 if that is larger."""
MOST_NAMED = 5
"""Columns that a note or an error names; the rest is counted."""

MISSING = OneOf("error", "drop", "median", "em")
Train = Annotated[float | None, Either(NOTHING, Number(0, 0.95, low_open=True))]
Column = Annotated[str | int | None, Either(NOTHING, Text("a column"), Whole())]
OUTLIERS = Parameter(
    None,
    Either(NOTHING, Number(0, 0.5, low_open=True)),
    "the share of the rows that are moved along one direction: that of a tenth of the features, drawn at random, each "
    "up or down; by normal numbers of ten of the feature's standard deviations; null: none",
)


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


def dataset_of_table(
    rng: np.random.Generator,
    file: Path,
    frame: pd.DataFrame,
    *,
    kind: str = "samples",
    named: bool = True,
    y: NDArray[np.int64] | None = None,
    missing: str = "error",
    constant: str = "keep",
    factors: int = 5,
    train: float | None = None,
    groups: NDArray[Any] | None = None,
    notes: Sequence[str] = (),
) -> Dataset:
    """Return a table of numbers as a data set, after `cleaned` and with rows held out.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the rows that are held out.
    file : Path
        For messages.
    frame : DataFrame
        Of numbers alone.
    kind : {"samples", "covariance"}
        What it holds.
    named : bool
        Whether its columns have names of their own.
    y : ndarray of int, optional
        The classes of its rows.
    missing, constant
        As `cleaned` has them.
    factors : int
        Of missing: em.
    train : float, optional
        The share of the rows to train on; all if not given.
    groups : ndarray of shape (n_rows,), optional
        The group of each row: groups are held out whole.
    notes : sequence of str
        What is known of it already.

    Raises
    ------
    ValueError
        As `cleaned` and `dataset_of` raise it, and if rows are to be held out of second moments or none would be left.
    """
    frame, rows, done = cleaned(file, frame, missing, constant)
    notes = [*notes, *done]
    matrix = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    names = tuple(map(str, frame.columns)) if named else ()
    moments = missing == "em" and bool(np.isnan(matrix).any())
    if train is not None and (moments or kind == "covariance"):
        raise ValueError(f"{file}: train is {train}, and second moments have no rows to hold out; leave train out")
    if moments:
        return dataset_of_moments(file, matrix, names, factors, notes)
    dataset = dataset_of(file, matrix, kind, names, None if y is None else y[rows], REMEDY)
    dataset = replace(dataset, notes="; ".join(filter(None, notes)))
    return dataset if train is None else _split(rng, dataset, train, None if groups is None else groups[rows])


def with_outliers(rng: np.random.Generator, dataset: Dataset, share: float) -> Dataset:
    """Return a data set with a share of its rows moved along one direction of few features, and its clean samples.

    A row becomes x + z t, where z is N(0, 100) and t has plus or minus the standard deviations of a tenth of the
    features, and zeros otherwise.
    """
    X = dataset.X
    assert X is not None
    n, d = X.shape
    few = -(-d // 10)
    direction = np.zeros(d)
    direction[rng.choice(d, few, replace=False)] = rng.choice([-1.0, 1.0], few)
    sizes = np.zeros((n, 1))
    moved = rng.choice(n, max(1, round(share * n)), replace=False)
    sizes[moved, 0] = rng.normal(0.0, 10.0, len(moved))
    return replace(dataset, X=X + sizes * (direction * X.std(axis=0)), X_clean=X)


def blocks_of(n: int, count: int) -> NDArray[np.intp]:
    """Return the block of each of n rows, which are cut into blocks of neighbours."""
    return np.arange(n) * count // n


def _split(rng: np.random.Generator, whole: Dataset, train: float, groups: NDArray[Any] | None) -> Dataset:
    """Train on groups drawn at random, as many as the share of rows allows but one at least; hold out the others."""
    X, y = whole.X, whole.y
    assert X is not None
    members = np.arange(len(X)) if groups is None else np.unique(groups, return_inverse=True)[1]
    order = rng.permutation(int(members.max()) + 1)
    place = np.argsort(order)[members]
    sizes = np.bincount(place).cumsum()
    wanted = max(2, round(train * len(X)))
    kept: Rows = np.asarray(place < max(1, int((sizes <= wanted).sum())))
    if kept.all() or kept.sum() < 2:
        found = f"of {len(X)} rows in {len(order)} groups, {kept.sum()} would be trained on"
        raise ValueError(f"train is {train}: {found}; valid leaves two or more to train on, and one to hold out")
    split = replace(whole, X=X[kept], X_test=X[~kept])
    return split if y is None else replace(split, y=y[kept], y_test=y[~kept])
