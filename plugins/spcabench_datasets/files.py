"""The user's own matrix: samples or a covariance, from a CSV, parquet, .npy or .npz file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spcabench import (
    FLAG,
    NOTHING,
    Dataset,
    DatasetSpec,
    DataUnavailable,
    Either,
    ExistingFile,
    OneOf,
    Parameter,
    Text,
    Whole,
    hookimpl,
    nearest,
    without_file,
)
from spcabench_datasets._matrices import REMEDY, dataset_of, dataset_of_moments, numeric
from spcabench_datasets._tables import TABLE_PARAMETERS, cleaned, without

if TYPE_CHECKING:
    import pandas as pd

Matrix = NDArray[np.float64]

MISSING = {"", "na", "n/a", "nan", "null", "none"}
SEPARATORS = ";\t|, "
NAMELESS = "Unnamed: 0"
"""The name that pandas uses for a first column whose header is empty."""


def load_csv(
    rng: np.random.Generator,
    path: str | None,
    kind: str,
    label: str | int | None,
    separator: str,
    decimal: str,
    index: bool | str,
    **how: Any,
) -> Dataset:
    """Read a CSV file, compressed or not; its first row is a header if any cell is a word."""
    import pandas as pd

    file = _existing(path)
    try:
        first = pd.read_csv(file, sep=separator, header=None, nrows=1, dtype=str, keep_default_na=False)
        header = 0 if any(_is_word(cell.replace(decimal, ".")) for cell in first.iloc[0]) else None
        frame = pd.read_csv(file, sep=separator, header=header, decimal=decimal)
    except (ValueError, OSError) as reason:
        raise ValueError(f"{file} cannot be read as CSV: {reason}") from reason
    start = str(first.iloc[0, 0]).strip()
    other = next((other for other in SEPARATORS if other in start and other != separator), None)
    if frame.shape[1] == 1 and other is not None:
        raise ValueError(
            f"{file} has a single column if {separator!r} separates its cells; it has {other!r} in its first row: "
            f"set separator: {other!r}"
        )
    if index is True:
        frame = frame.iloc[:, 1:]
    elif isinstance(index, str):
        frame = without(file, frame, [index])
    elif frame.columns[0] == NAMELESS and not (kind == "covariance" and _names_first(frame)):
        raise ValueError(
            f"{file}: the first column has no name, as the index of a table saved by pandas has none; "
            "leave it out by index: true, or name it if it is a feature"
        )
    return _from_frame(file, frame, kind, label, named=header is not None, **how)


def load_parquet(rng: np.random.Generator, path: str | None, kind: str, label: str | int | None, **how: Any) -> Dataset:
    """Read a parquet file."""
    import pandas as pd

    file = _existing(path)
    try:
        frame = pd.read_parquet(file)
    except ImportError as reason:
        raise DataUnavailable("reading parquet needs pyarrow: pip install 'spcabench[parquet]'") from reason
    except (ValueError, OSError) as reason:
        raise ValueError(f"{file} cannot be read as parquet: {reason}") from reason
    return _from_frame(file, frame, kind, label, **how)


def load_npy(rng: np.random.Generator, path: str | None, kind: str) -> Dataset:
    """Read a .npy file."""
    file = _existing(path)
    array = _unpickled(file, lambda: np.load(file, allow_pickle=False))
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{file} is an archive of arrays; the data set npz reads it")
    return dataset_of(file, numeric(file, array), kind)


def load_npz(rng: np.random.Generator, path: str | None, kind: str, key: str | None) -> Dataset:
    """Read an array of an .npz file."""
    file = _existing(path)
    archive = _unpickled(file, lambda: np.load(file, allow_pickle=False))
    if isinstance(archive, np.ndarray):
        raise ValueError(f"{file} is a single array; the data set npy reads it")
    with archive:
        names = archive.files
        if key is None and len(names) != 1:
            raise ValueError(f"{file} holds {len(names)} arrays; name one as key: {', '.join(names)}")
        name = names[0] if key is None else key
        if name not in names:
            raise ValueError(f"{file} has no array '{name}'; valid are {', '.join(names)}{nearest(name, names)}")
        array = _unpickled(file, lambda: archive[name])
    return dataset_of(file, numeric(file, array), kind)


def load_npy_halves(rng: np.random.Generator, path: str | None) -> Dataset:
    """Read a .npy file, and draw half of its rows without replacement; the others are held out."""
    whole = load_npy(rng, path, "samples")
    assert whole.X is not None
    order = rng.permutation(len(whole.X))
    half = len(order) // 2
    return Dataset(X=whole.X[np.sort(order[:half])], X_test=whole.X[np.sort(order[half:])], files=whole.files)


def _existing(path: str | None) -> Path:
    if path is None:
        raise ValueError("the parameter path is needed: the file to read")
    fault = without_file(path)
    if fault:
        raise FileNotFoundError(fault)
    return Path(path).expanduser()


def _is_word(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell.strip().lower() not in MISSING
    return False


def _from_frame(
    file: Path,
    frame: pd.DataFrame,
    kind: str,
    label: str | int | None,
    *,
    named: bool = True,
    drop: Sequence[str | int] | None = None,
    missing: str = "error",
    constant: str = "keep",
    factors: int = 5,
) -> Dataset:
    frame, y = without(file, frame, drop or (), " to drop"), None
    if label is not None:
        others = without(file, frame, [label])
        frame, y = others, _classes(file, frame[label])
    if kind == "covariance" and _names_first(frame):
        frame = frame.iloc[:, 1:]
    words = [name for name in frame.columns if frame[name].dtype.kind not in "biuf"]
    if words and len(frame):
        cells = list(frame[words[0]])
        row = next((row for row, cell in enumerate(cells) if _is_word(str(cell))), 0)
        listed = ", ".join(f"'{name}'" for name in words)
        raise ValueError(
            f"{file}: not numeric: {listed} (column '{words[0]}', row {row + 1} is {cells[row]!r}); "
            f"leave such columns out by drop: [{', '.join(map(str, words))}], or name one as label"
        )
    if kind == "covariance" and (missing != "error" or constant != "keep"):
        raise ValueError(f"{file} is a covariance; missing and constant are for samples")
    frame, rows, notes = cleaned(file, frame, missing, constant)
    matrix = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    names = tuple(map(str, frame.columns)) if named else ()
    if missing == "em" and np.isnan(matrix).any():
        return dataset_of_moments(file, matrix, names, factors, notes)
    dataset = dataset_of(file, matrix, kind, names, None if y is None else y[rows], REMEDY)
    return replace(dataset, notes="; ".join(notes))


def _names_first(frame: pd.DataFrame) -> bool:
    """Return whether the first column repeats the names of the others, as covariances are often saved."""
    return frame.shape[1] > 1 and list(frame.iloc[:, 0]) == list(frame.columns[1:])


def _classes(file: Path, column: pd.Series[Any]) -> NDArray[np.int64]:
    """Return whole numbers unchanged; number other labels in sorted order."""
    if column.isna().any():
        raise ValueError(f"{file}: the label of row {int(column.isna().to_numpy().argmax()) + 1} is missing")
    if column.dtype.kind in "iu":
        return column.to_numpy(dtype=np.int64)
    values = column.to_numpy() if column.dtype.kind in "bf" else column.astype(str).to_numpy(dtype=str)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _unpickled(file: Path, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as reason:
        if "Object arrays" in str(reason):
            raise ValueError(f"{file} holds Python objects; valid are real numbers") from reason
        if file.suffix in (".csv", ".parquet"):
            reader = file.suffix[1:]
            raise ValueError(f"{file} is not a .npy or .npz file; the data set {reader} reads it") from reason
        raise ValueError(f"{file} is not a .npy or .npz file, or is damaged") from reason


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return one data set per kind of file."""
    path = {
        "path": Parameter(
            None, Either(NOTHING, ExistingFile()), "the file to read; needed; relative to the folder where you are"
        )
    }
    kind = {"kind": Parameter("samples", OneOf("samples", "covariance"), "what the matrix is")}
    label = {
        "label": Parameter(
            None, Either(NOTHING, Text("a column"), Whole()), "the column of classes, by number if there is no header"
        )
    }
    cells = {
        "separator": Parameter(",", Text("a character"), "between the cells of a row"),
        "decimal": Parameter(".", OneOf(".", ","), "before the decimals of a number"),
        "index": Parameter(
            False,
            Either(FLAG, Text("a column")),
            "the column that numbers or names the samples, left out: true for the first, or its name",
        ),
    }
    key = {"key": Parameter(None, Either(NOTHING, Text("an array")), "the array; null: the only one")}
    halves = "half of the rows of a matrix of your own, from .npy; the others are held out"
    return [
        DatasetSpec(
            name=name,
            load=f"spcabench_datasets.files:load_{name}",
            title=title,
            parameters=path | own,
            provides=frozenset({"samples", *more}),
            random=name == "npy_halves",
            source="your own file",
            exempt={"draw": "it reads a file of yours"},
        )
        for name, title, own, more in (
            ("csv", "a matrix of your own, from CSV", kind | label | cells | TABLE_PARAMETERS, ["labels"]),
            ("parquet", "a matrix of your own, from parquet", kind | label | TABLE_PARAMETERS, ["labels"]),
            ("npy", "a matrix of your own, from .npy", kind, []),
            ("npz", "a matrix of your own, from .npz", kind | key, []),
            ("npy_halves", halves, {}, ["test"]),
        )
    ]
