"""The user's own matrix: samples or a covariance, from any file that the host reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, DatasetSpec, Either, ExistingFile, OneOf, Parameter, Text, Whole, hookimpl
from spcabench_datasets._tables import TABLE_PARAMETERS, blocks_of, dataset_of_table, without

if TYPE_CHECKING:
    import pandas as pd

NAMELESS = "Unnamed: 0"
"""The name that pandas uses for a first column whose header is empty."""


def load_file(
    rng: np.random.Generator,
    path: str | None,
    kind: str = "samples",
    label: str | int | None = None,
    drop: Sequence[str | int] | None = None,
    groups: str | int | None = None,
    blocks: int | None = None,
    **how: Any,
) -> Dataset:
    """Read a table, leave columns out, see to what is missing, and hold out rows."""
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
    if kind == "covariance" and (how.get("missing", "error") != "error" or how.get("constant", "keep") != "keep"):
        raise ValueError(f"{file} is a covariance; missing and constant are for samples")
    return dataset_of_table(rng, file, frame, kind=kind, named=table.named, y=y, groups=together, notes=notes, **how)


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
    path = Parameter(None, Either(NOTHING, ExistingFile()), "needed; relative to the folder where you are")
    classes = "the column of classes, by number if there is no header; null: the array labels of .npz, if it is there"
    own = {
        "path": path,
        "kind": Parameter("samples", OneOf("samples", "covariance"), "what the matrix is"),
        "label": Parameter(None, Either(NOTHING, Text("a column"), Whole()), classes),
    }
    return [
        DatasetSpec(
            name="file",
            load="spcabench_datasets.files:load_file",
            title="your own CSV, TSV, parquet, .xlsx, .npy, .npz or .h5ad",
            parameters=own | TABLE_PARAMETERS,
            provides=frozenset({"samples", "labels", "test"}),
            random="train",
            source="your own file",
            exempt={"draw": "it reads a file of yours"},
        )
    ]
