"""The user's own matrix: samples or a covariance, from any file that the host reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, DatasetSpec, Either, ExistingFile, ListOf, OneOf, Text, Whole, hookimpl
from spcabench_datasets._tables import MISSING, Column, Train, blocks_of, dataset_of_table, without

if TYPE_CHECKING:
    import pandas as pd

NAMELESS = "Unnamed: 0"
"""The name that pandas uses for a first column whose header is empty."""


def load_file(
    rng: np.random.Generator,
    path: Annotated[str | None, Either(NOTHING, ExistingFile())] = None,
    kind: Annotated[str, OneOf("samples", "covariance")] = "samples",
    label: Column = None,
    drop: Annotated[Sequence[str | int] | None, Either(NOTHING, ListOf(Either(Text("a column"), Whole())))] = None,
    missing: Annotated[str, MISSING] = "error",
    factors: Annotated[int, Whole(0)] = 5,
    constant: Annotated[str, OneOf("keep", "drop")] = "keep",
    train: Train = None,
    groups: Column = None,
    blocks: Annotated[int | None, Either(NOTHING, Whole(2))] = None,
) -> Dataset:
    """Read a table, leave columns out, see to what is missing, and hold out rows.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the rows that are held out.
    path : str
        Needed; relative to the folder where you are.
    kind : {"samples", "covariance"}
        What the matrix is.
    label : str or int, optional
        The column of classes, by number if there is no header; null: the array labels of .npz, if it is there.
    drop : sequence of str or int, optional
        Columns left out, by name or by number.
    missing : {"error", "drop", "median", "em"}
        Missing values: an error, their rows left out, filled with the median of the column, or second moments by
        expectation maximisation, to which the methods that need no samples are fitted.
    factors : int
        Of missing: em: the factors of its Gaussian model.
    constant : {"keep", "drop"}
        Columns that do not vary: kept, or left out.
    train : float, optional
        The share of the rows to train on, drawn at random; the others are held out, groups of rows that depend on each
        other whole; null: all, none held out.
    groups : str or int, optional
        The column whose equal values are held out together.
    blocks : int, optional
        Hold out blocks of neighbouring rows, this many in all, as of a time series.

    Raises
    ------
    ValueError
        If the file, or a parameter, does not fit.
    """
    import pandas as pd

    from spcabench import read_table

    if path is None:
        raise ValueError("the parameter path is needed: the file to read")
    table = read_table(path)
    file, frame, y = table.file, table.frame, None
    notes = [f"{found}: {done}" for found, done, _ in table.notes]
    if not table.named:
        given = [table.label] if table.label else []
        frame = frame.set_axis([*range(frame.shape[1] - len(given)), *given], axis=1)
    frame = without(file, frame, drop or (), " to drop")
    label = table.label if label is None else label
    if label is not None:
        others = without(file, frame, [label])
        frame, y = others, _classes(file, frame[label])
    together = None if blocks is None else blocks_of(len(frame), blocks)
    if groups is not None:
        others = without(file, frame, [groups])
        frame, together = others, _classes(file, frame[groups])
    if frame.shape[1] > 1 and frame.columns[0] == NAMELESS:
        frame = frame.iloc[:, 1:]
        notes.append("the first column has no name: left out, as the index of a table")
    elif kind == "covariance" and _names_first(frame):
        frame = frame.iloc[:, 1:]
    words = [name for name in frame.columns if frame[name].dtype.kind not in "biuf"]
    if words and len(frame):
        cells = frame[words[0]]
        row = int((pd.to_numeric(cells.astype(str), errors="coerce").isna() & cells.notna()).argmax())
        listed = ", ".join(f"'{name}'" for name in words)
        raise ValueError(
            f"{file}: not numeric: {listed} (column '{words[0]}', row {row + 1} is {cells.iloc[row]!r}); "
            f"leave such columns out by drop: [{', '.join(map(str, words))}], or name one as label"
        )
    if kind == "covariance" and (missing != "error" or constant != "keep"):
        raise ValueError(f"{file} is a covariance; missing and constant are for samples")
    held: dict[str, Any] = {"y": y, "train": train, "groups": together, "notes": notes}
    how: dict[str, Any] = {"missing": missing, "factors": factors, "constant": constant}
    return dataset_of_table(rng, file, frame, kind=kind, named=table.named, **held, **how)


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


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the file."""
    return [
        DatasetSpec(
            name="file",
            load="spcabench_datasets.files:load_file",
            title="your own CSV, TSV, parquet, .xlsx, .npy or .npz",
            provides=frozenset({"samples", "labels", "test"}),
            random="train",
            source="your own file",
            exempt={"draw": "it reads a file of yours"},
        )
    ]
