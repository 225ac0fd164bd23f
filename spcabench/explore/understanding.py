"""Understand a table: which columns are features, and what is to be done to the others and to the values.

The answer is in the words of the data sets that read tables (``drop``, ``label``, ``missing``, ``constant``) and of a
suite (``preprocess``), so that a suite repeats what was done here.  Each finding names the option that reverses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from spcabench.parameters import unknown_name
from spcabench.wording import Fault, InputError

ID_NAMES = re.compile(r"(.*[_ -])?(id|index|key)|unnamed(: \d+)?", re.IGNORECASE)
"""Names of columns that number or name the samples."""
MOST_CLASSES = 20
"""Text with so many values at most is a label."""
FLAT = 1e-12
"""A column is constant if its range is at most this share of its mean, or of 1 if that is larger."""
LACKING = 0.3
"""A column is left out if a larger share of its values is missing."""
COMPLETE = 0.9
"""Rows that lack values are left out if at least this share of them is complete."""
FAR_APART, APART = 10.0, 3.0
"""Ratios of the largest standard deviation to the smallest: standardised beyond the one, warned of beyond the other."""
SAME = 0.999
"""Columns with a larger correlation say the same."""
MOST_COMPARED = 2000
"""Features up to which all pairs are compared."""
ALMOST_ALL = 0.99
"""A value in a larger share of the rows leaves too few others to tell a scale."""
SKEWED = 2.0
"""Counts with a larger skewness are better seen as logarithms."""
FEW = 20
"""With fewer samples there is nothing to hold out."""
MOST_NAMED = 5
MOSTLY = 0.5
"""Text of which a larger share of the values are numbers is a column of numbers with something else in it."""

Column = str | int
Missing = Literal["error", "drop", "median", "em"]


@dataclass(frozen=True)
class Finding:
    """What was found in a table, what is done, and the option that does otherwise; empty if there is none.

    A finding that is a warning may spoil what is computed.
    """

    found: str
    done: str
    otherwise: str = ""
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.found}: {self.done}" + (f" (otherwise {self.otherwise})" if self.otherwise else "")


@dataclass(frozen=True)
class Understanding:
    """What is to be done with a table.

    Parameters
    ----------
    features : tuple of str or int
        The columns that are features.
    label : str or int, optional
        The column of classes.
    drop : tuple of str or int
        The columns that are left out.
    missing : {"error", "drop", "median", "em"}
        What becomes of missing values.
    preprocess : {"none", "standardise"}
        What is done to the features.
    findings : tuple of Finding
        Why, each once.
    """

    features: tuple[Column, ...]
    label: Column | None
    drop: tuple[Column, ...]
    missing: Missing
    preprocess: Literal["none", "standardise"]
    findings: tuple[Finding, ...]

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of the data sets ``csv`` and ``parquet``."""
        return {"drop": list(self.drop) or None, "label": self.label, "missing": self.missing}


def understand(
    frame: pd.DataFrame,
    label: Column | None = None,
    drop: Sequence[Column] = (),
    keep: Sequence[Column] = (),
    missing: Missing | None = None,
    standardise: bool | None = None,
) -> Understanding:
    """Understand a table.

    Parameters
    ----------
    frame : DataFrame
        As read from the file.
    label : str or int, optional
        The column of classes, if the user says which.
    drop : sequence of str or int
        Columns that the user leaves out.
    keep : sequence of str or int
        Columns of numbers that the user keeps, whatever they seem to be.
    missing : {"error", "drop", "median", "em"}, optional
        What becomes of missing values, if the user says.
    standardise : bool, optional
        Whether the features are standardised, if the user says.

    Raises
    ------
    InputError
        If there is no such column, a column of numbers has something else in it, values are missing and that is an
        error, or no feature is left.
    """
    _check_names(frame, {"--label": [] if label is None else [label], "--drop": drop, "--keep": keep})
    rest = frame.drop(columns=list(drop)).drop(columns=[] if label is None else [label])
    left_out: dict[Column, Finding] = {}
    chosen = label
    findings: list[Finding] = []
    for name in rest.columns:
        role = "" if name in keep else _role(rest[name])
        if role in ("classes", "text"):
            _check_numbers(rest[name])
        if role == "classes" and chosen is None:
            chosen = name
            done = "kept as label, for colour alone"
            findings.append(Finding(f"'{name}' is text with {rest[name].nunique()} values", done, "--label COLUMN"))
        elif role:
            left_out[name] = Finding(*_LEFT_OUT["text" if role == "classes" else role])
    findings += _gathered(left_out)
    features = rest.drop(columns=[*left_out, *([] if chosen == label else [chosen])])
    _check_left(features)
    missing, about_missing = _missing(features, missing)
    copies = _copies(features)
    findings += [*about_missing, *_about_copies(copies)]
    features = features.drop(columns=list(copies))
    preprocess, about_scale = _scale(features, standardise)
    findings += [*about_scale, *_cautions(frame, features)]
    return Understanding(
        tuple(features.columns), chosen, (*drop, *left_out, *copies), missing, preprocess, tuple(findings)
    )


def _check_names(frame: pd.DataFrame, given: Mapping[str, Sequence[Column]]) -> None:
    faults = [
        Fault(f"no column '{name}'{unknown_name(str(name), map(str, frame.columns))}", option)
        for option, names in given.items()
        for name in names
        if name not in frame.columns
    ]
    if faults:
        raise InputError(faults)


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
        raise InputError(
            f"column '{features.columns[column]}', row {row + 1} is {values[row, column]}{more}; write it as NA, or "
            f"leave the column out by --drop '{features.columns[column]}'"
        )


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


_LEFT_OUT: Mapping[str, tuple[str, str, str]] = {
    "id": ("columns that number or name the samples ({})", "left out", "--keep COLUMN"),
    "text": ("columns of text ({})", "left out", "--label COLUMN for one of them"),
    "date": ("columns of dates ({})", "left out", ""),
    "constant": ("columns that do not vary ({})", "left out", ""),
    "lacking": (f"columns that lack more than {LACKING:.0%} of their values ({{}})", "left out", "--keep COLUMN"),
}


def _role(column: pd.Series[Any]) -> str:
    """Return why a column is no feature; empty if it is one."""
    return next((role for role, holds in _ROLES.items() if holds(column)), "")


def _is_id(column: pd.Series[Any]) -> bool:
    if column.dtype.kind in "fcbM" or column.isna().any() or not column.is_unique or len(column) < 2:
        return False
    rises = column.is_monotonic_increasing or column.is_monotonic_decreasing
    return bool(rises or ID_NAMES.fullmatch(str(column.name)))


def _is_constant(column: pd.Series[Any]) -> bool:
    known = column.dropna()
    if column.dtype.kind not in "biuf":
        return known.nunique() <= 1
    values = known.to_numpy(dtype=np.float64)
    return not len(values) or bool(
        np.isfinite(values).all() and np.ptp(values) <= FLAT * max(1.0, abs(float(values.mean())))
    )


_ROLES: Mapping[str, Callable[[pd.Series[Any]], bool]] = {
    "constant": _is_constant,
    "date": lambda column: column.dtype.kind in "mM",
    "id": _is_id,
    "classes": lambda column: column.dtype.kind not in "biuf" and column.nunique() <= MOST_CLASSES,
    "text": lambda column: column.dtype.kind not in "biuf",
    "lacking": lambda column: bool(column.isna().mean() > LACKING),
}
"""What a column may be that is no feature, in the order in which it is asked."""


def _gathered(left_out: Mapping[Column, Finding]) -> Iterator[Finding]:
    """Yield each kind of finding once, with its columns."""
    for finding in dict.fromkeys(left_out.values()):
        columns = [column for column, other in left_out.items() if other == finding]
        yield Finding(finding.found.format(_named(columns)), finding.done, finding.otherwise)


def _missing(features: pd.DataFrame, wanted: Missing | None) -> tuple[Missing, list[Finding]]:
    lacking = features.isna()
    if not lacking.to_numpy().any():
        return "error", []
    incomplete = lacking.any(axis=1)
    if wanted == "error":
        row = int(incomplete.to_numpy().argmax())
        raise InputError(
            f"column '{lacking.columns[lacking.iloc[row]][0]}', row {row + 1} has no value, and "
            f"{int(lacking.to_numpy().sum()) - 1} more cells; leave such rows out by --missing drop, or "
            "estimate second moments without them by --missing em"
        )
    found = f"{int(incomplete.sum())} of {len(features)} rows lack values of {_named(features.columns[lacking.any()])}"
    if wanted == "drop" or (wanted is None and (~incomplete).mean() >= COMPLETE):
        if (~incomplete).sum() < 2:
            raise InputError(f"{found}; too few are left: --missing em, or leave columns out by --drop")
        return "drop", [Finding(found, "rows left out", "--missing em")]
    if wanted == "em":
        return "em", [Finding(found, "second moments by expectation maximisation", "--missing drop")]
    done = "filled with medians, which makes variances smaller"
    return "median", [Finding(found, done, "--missing em, or --missing drop")]


def _copies(features: pd.DataFrame) -> dict[Column, Column]:
    """Return the columns that say the same as one before them, and which."""
    if not 1 < features.shape[1] <= MOST_COMPARED:
        return {}
    values = features.to_numpy(dtype=np.float64, na_value=np.nan)
    filled = np.where(np.isnan(values), np.nanmean(values, axis=0), values)
    same = np.abs(np.corrcoef(filled, rowvar=False)) > SAME
    found: dict[Column, Column] = {}
    for j, name in enumerate(features.columns):
        before = [i for i in range(j) if same[i, j] and features.columns[i] not in found]
        if before:
            found[name] = features.columns[before[0]]
    return found


def _about_copies(copies: Mapping[Column, Column]) -> Iterator[Finding]:
    if copies:
        of = ", ".join(f"'{name}' of '{other}'" for name, other in list(copies.items())[:MOST_NAMED])
        yield Finding(f"copies, with a correlation above {SAME}: {of}", "left out", "drop the others by --drop")


def _scale(features: pd.DataFrame, wanted: bool | None) -> tuple[Literal["none", "standardise"], list[Finding]]:
    """Standardise features whose standard deviations are far apart; warn where one has most of the variance."""
    if features.empty or (wanted is None and all(dtype.kind == "b" for dtype in features.dtypes)):
        return "none", []
    sd = features.astype(np.float64).std(ddof=0)
    ratio = float(sd.max() / sd.min())
    share = float(sd.max() ** 2 / np.sum(sd**2))
    found = f"standard deviations differ {ratio:.3g}-fold; '{sd.idxmax()}' has {share:.1%} of the variance"
    if wanted or (wanted is None and ratio > FAR_APART):
        return "standardise", [Finding(found, "standardised", "--no-standardise")]
    if ratio > FAR_APART:
        done = "centred only, as asked; the components are those of the columns of largest scale"
        return "none", [Finding(found, done, "--standardise", warning=True)]
    if ratio > APART and share > max(LACKING, 5 / len(sd)):
        return "none", [Finding(found, "centred only", "--standardise", warning=True)]
    return "none", []


def _cautions(frame: pd.DataFrame, features: pd.DataFrame) -> Iterator[Finding]:
    """Yield what a reader of the results must know."""
    if len(frame) < FEW:
        yield Finding(f"{len(frame)} samples", "nothing is held out, and stability is not judged", warning=True)
    repeated = int(pd.util.hash_pandas_object(frame, index=False).duplicated().sum())
    if repeated:
        yield Finding(f"{repeated} rows repeat others", "kept; what is held out is then known already")
    values = features.to_numpy(dtype=np.float64, na_value=np.nan)
    if not values.size:
        return
    usual = np.mean(values == np.nanmedian(values, axis=0), axis=0)  # a value that most rows have is the median
    most = features.columns[usual > ALMOST_ALL]
    if len(most):
        yield Finding(f"{_named(most)} have one value in {ALMOST_ALL:.0%} of the rows", "kept", "--drop COLUMN")
    counts = np.all((values >= 0) & (values == np.rint(values)) | np.isnan(values), axis=0)
    if counts.mean() > 0.5 and np.mean(features[features.columns[counts]].skew().to_numpy() > SKEWED) > 0.5:
        yield Finding("most counts are skewed", "kept; log1p would keep the largest rows from leading")


def _named(columns: Sequence[Any] | pd.Index[Any]) -> str:
    more = len(columns) - MOST_NAMED
    return ", ".join(f"'{name}'" for name in columns[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
