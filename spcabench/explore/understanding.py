"""Understand a table: which columns are features, and what is done to the others and to the values, until it is fitted.

The answer is in the words of the data sets that read tables (``drop``, ``label``, ``missing``, ``constant``) and of a
suite (``preprocess``), so that a suite repeats what was done here.  Each finding names the option that reverses it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.explore import values as of_values
from spcabench.explore.values import LACKING, Missing, Remark, named
from spcabench.parameters import unknown_name
from spcabench.specs import Array
from spcabench.wording import Fault, InputError

ID_NAMES = re.compile(r"(.*[_ -])?(id|index|key)|unnamed(: \d+)?", re.IGNORECASE)
"""Names of columns that number or name the samples."""
TARGET_NAMES = re.compile(r"(.*[_ -])?(target|class|label|outcome)|y", re.IGNORECASE)
"""Names of columns of numbers that are to be told from the others, and so are no features."""
TARGET, IDS = "columns named like a target", "columns that number or name the samples"
LAST = "a last column of whole numbers, of few values, which the others do not have"
TEXT, KEEP = ("columns of text", "--label COLUMN for one of them"), "--keep COLUMN"
MOST_CLASSES = 20
"""Text with so many values at most is a label."""
FLAT = 1e-12
"""A column is constant if its range is at most this share of its mean, or of 1 if that is larger."""
MOSTLY = 0.5
"""Text of which a larger share of the values are numbers is a column of numbers with something else in it."""


@dataclass(frozen=True)
class Prepared:
    """A table as numbers, and what was done to it.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        As it is fitted: not centred, not scaled.
    features : tuple of str
        The columns that are features.
    label : str, optional
        The column of classes.
    drop : tuple of str
        The columns that are left out.
    missing : {"error", "drop", "median"}
        What became of missing values.
    preprocess : {"none", "standardise"}
        What is to be done to the features.
    remarks : tuple of Remark
        Why, each once.
    rows : ndarray of int, shape (n_samples,)
        The rows of the table that they are, from 0.
    classes : tuple of str
        The class of each sample; empty if there is no label.
    names : tuple of str
        What the table itself calls its rows; empty if it does not.
    first_line : int, optional
        The line of the file that has the first row; None if the file has no lines.
    """

    X: Array
    features: tuple[str, ...]
    label: str | None
    drop: tuple[str, ...]
    missing: Missing
    preprocess: Literal["none", "standardise"]
    remarks: tuple[Remark, ...]
    rows: NDArray[np.intp]
    classes: tuple[str, ...]
    names: tuple[str, ...]
    first_line: int | None

    def name_of(self, place: int) -> str:
        """Return what a sample is called: by the table's own label, else by its line in the file and its index."""
        row = int(self.rows[place])
        if self.names:
            return f"row '{self.names[place]}'"
        return f"index {row}" if self.first_line is None else f"line {row + self.first_line} of the file, index {row}"


def understand(
    frame: pd.DataFrame,
    *,
    label: str | None = None,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    missing: Missing | None = None,
    standardise: bool | None = None,
    first_line: int | None = None,
) -> Prepared:
    """Understand a table, and make numbers of it.

    Parameters
    ----------
    frame : DataFrame
        As read from the file.
    label : str, optional
        The column of classes; found if not given.
    drop, keep : sequence of str
        Columns to leave out, and columns of numbers to keep.
    missing : {"error", "drop", "median"}, optional
        What becomes of missing values; chosen if not given.
    standardise : bool, optional
        Whether features are standardised; if not given, they are where deviations are far apart or equal.
    first_line : int, optional
        The line of the file that has the first row.

    Raises
    ------
    InputError
        If there is no such column, a column of numbers has something else in it, values are missing and that is an
        error, or no feature is left.
    """
    given = {"--label": [] if label is None else [label], "--drop": drop, "--keep": keep}
    unknown = [(name, option) for option, names in given.items() for name in names if name not in frame.columns]
    if unknown:
        raise InputError([Fault(f"no column '{name}'{unknown_name(name, frame.columns)}", o) for name, o in unknown])
    features = frame.drop(columns=[*drop, *given["--label"]])
    remarks: list[Remark] = []
    left_out: dict[tuple[str, str], list[str]] = {}
    for name, role in _roles(features, keep).items():
        if role == TEXT:
            _check_numbers(features[name])
        if role == TEXT and label is None and features[name].nunique() <= MOST_CLASSES:
            label = name
            found = f"'{name}' is text with {features[name].nunique()} values"
            remarks.append(Remark(found, "kept as label, for colour alone", "--label COLUMN"))
        else:
            left_out.setdefault(role, []).append(name)
    for (means, otherwise), names in left_out.items():
        remarks.append(Remark(f"{means} ({named(names)})", "left out", otherwise))
    named_so = {means: names for (means, _), names in left_out.items()}
    few = (name for means in (TARGET, LAST) for name in named_so.get(means, ()) if _has_few(features[name]))
    label = next(few, None) if label is None else label
    dropped = [name for names in left_out.values() for name in names if name != label]
    features = features.drop(columns=[*dropped, label] if label in features.columns else dropped)
    _check_left(features)
    filled = of_values.filled_by(features, missing, remarks)
    preprocess = of_values.scale_of(features, standardise, remarks)
    remarks += of_values.cautions(frame, features)
    numbers = features.to_numpy(dtype=np.float64, na_value=np.nan)
    lacking = np.isnan(numbers)
    numbers = np.where(lacking, np.nanmedian(numbers, axis=0), numbers)
    kept = np.flatnonzero(~lacking.any(axis=1) | (filled != "drop"))

    def texts(columns: Sequence[str]) -> tuple[str, ...]:
        """Return the first of some columns as text, if there is any."""
        return tuple(map(str, frame[columns[0]].iloc[kept])) if columns else ()

    return Prepared(
        X=np.ascontiguousarray(numbers[kept]),
        features=tuple(features.columns),
        label=label,
        drop=(*drop, *dropped),
        missing=filled,
        preprocess=preprocess,
        remarks=tuple(remarks),
        rows=kept,
        classes=texts([] if label is None else [label]),
        names=texts(named_so.get(IDS, ())),
        first_line=first_line,
    )


def _is_id(column: pd.Series[Any]) -> bool:
    if column.dtype.kind in "fcbM" or column.isna().any() or not column.is_unique or len(column) < 2:
        return False
    rises = column.is_monotonic_increasing or column.is_monotonic_decreasing
    return bool(rises or ID_NAMES.fullmatch(str(column.name)))


def _is_text(column: pd.Series[Any]) -> bool:
    return column.dtype.kind not in "biuf"


def _has_few(column: pd.Series[Any]) -> bool:
    """Return whether a column has few values, all whole numbers."""
    known = column.dropna()
    whole = column.dtype.kind in "iu" or (column.dtype.kind == "f" and bool((known == known.round()).all()))
    return whole and 2 <= known.nunique() <= min(MOST_CLASSES, len(known) // 2)


def _is_constant(column: pd.Series[Any]) -> bool:
    if _is_text(column):
        return column.nunique() <= 1
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    values = values[~np.isnan(values)]
    flat = FLAT * max(1.0, abs(float(values.mean()))) if len(values) else 0.0
    return not len(values) or bool(np.isfinite(values).all() and np.ptp(values) <= flat)


def targets(frame: pd.DataFrame) -> list[str]:
    """Return the columns that seem to be what others are to tell, by their name or their place."""
    return [name for name, role in _roles(frame, ()).items() if role[0] in (TARGET, LAST)]


def _roles(features: pd.DataFrame, keep: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return what each column is that is no feature and not kept as one, and how it is used nevertheless."""
    columns = ((str(name), column) for name, column in features.items() if name not in keep)
    roles = {name: role for name, column in columns if (role := _role(column))}
    for last in set(features.columns[-1:]) - {*roles, *keep}:
        others = features.drop(columns=last)
        if _has_few(features[last]) and sum(_has_few(others[name]) for name in others) < 0.5 * others.shape[1]:
            roles[last] = (LAST, KEEP)
    return roles


def _role(column: pd.Series[Any]) -> tuple[str, str] | None:
    """Return what a column is by itself; None if it is a feature."""
    if _is_constant(column):
        return "columns that do not vary", ""
    if column.dtype.kind in "mM":
        return "columns of dates", ""
    if _is_id(column):
        return IDS, KEEP
    if _is_text(column):
        return TEXT
    if TARGET_NAMES.fullmatch(str(column.name)):
        return TARGET, KEEP
    if column.count() < (1 - LACKING) * len(column):
        return f"columns that lack more than {LACKING:.0%} of their values", KEEP
    return None


def _check_numbers(column: pd.Series[Any]) -> None:
    """Raise an error if a column of numbers has something else in it."""
    known = column.dropna().astype(str)
    numbers = pd.to_numeric(known, errors="coerce").notna()
    if not numbers.mean() > MOSTLY or numbers.all():
        return
    row, more = known.index[~numbers][0], int((~numbers).sum()) - 1
    others = f", and {more} more cells like it" if more else ""
    raise InputError(
        f"column '{column.name}', row {list(column.index).index(row) + 1} is {known[row]!r}{others}, where the others "
        f"are numbers; write missing values as NA, or leave the column out by --drop '{column.name}'"
    )


def _check_left(features: pd.DataFrame) -> None:
    """Raise an error if too few features are left, or a value is infinite."""
    if features.shape[1] < 2:
        raise InputError(
            f"{features.shape[1]} columns of numbers are left; valid are two or more: name some by --keep COLUMN"
        )
    values = features.to_numpy(dtype=np.float64, na_value=np.nan)
    where = np.argwhere(np.isinf(values))
    if len(where):
        row, column = where[0]
        more = f", and {len(where) - 1} more like it" if len(where) > 1 else ""
        name = features.columns[column]
        raise InputError(
            f"column '{name}', row {row + 1} is {values[row, column]}{more}; write it as NA, or leave the column out "
            f"by --drop '{name}'"
        )
