"""In a worker: a data set as one file, which every fit maps read-only."""

from __future__ import annotations

import hashlib
import math
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from spcabench.run.messages import DATA, SAMPLES
from spcabench.specs import Dataset
from spcabench.store.draw import DataSummary, FileStamp
from spcabench.store.files import writing
from spcabench.store.typed_json import TypedJson

SHOWN = 8
"""How many samples are kept to look at."""

MOST_ENTRIES = 2000
"""True supports of more entries are not kept beside the draw: no figure has room for them."""

_ARRAYS = ("X", "covariance", "X_clean", "clean_rows", "X_test", "y", "y_test", "supports")
_ALIGNED = 128
"""Each array begins at a multiple of so many bytes."""


@dataclass(frozen=True)
class _Array:
    """Where in the file an array is, and its form."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int


@dataclass(frozen=True)
class _Header:
    """The first line of the file: the summary, and the arrays that follow."""

    summary: DataSummary
    arrays: tuple[_Array, ...]


_HEADERS: TypedJson[_Header] = TypedJson(_Header)


def fingerprint(dataset: Dataset) -> str:
    """Return a hash of a data set's arrays.

    Raises
    ------
    TypeError
        If an array holds objects.
    """
    return _fingerprint(_values(dataset))


def _values(dataset: Dataset) -> dict[str, NDArray[Any]]:
    present = {name: getattr(dataset, name) for name in _ARRAYS if getattr(dataset, name) is not None}
    return {name: np.ascontiguousarray(array) for name, array in present.items()}


def _fingerprint(values: Mapping[str, NDArray[Any]]) -> str:
    found = hashlib.sha256()
    for name, array in values.items():
        if array.dtype.hasobject:
            raise TypeError(f"{name} holds objects; numbers or texts are wanted")
        found.update(f"{name}{array.shape}{array.dtype}".encode())
        found.update(array.data)
    return found.hexdigest()[:20]


def save(dataset: Dataset, folder: Path) -> DataSummary:
    """Write a data set's arrays and its summary, and a few samples to look at; return the summary.

    Raises
    ------
    TypeError
        If an array holds objects.
    """
    folder.mkdir(parents=True, exist_ok=True)
    values = _values(dataset)
    summary = DataSummary(
        fingerprint=_fingerprint(values),
        facts=tuple(sorted(dataset.facts)),
        n_samples=None if dataset.X is None else len(dataset.X),
        n_features=dataset.n_features,
        image_shape=dataset.image_shape,
        feature_names=tuple(dataset.feature_names),
        files=tuple(map(_stamp, dataset.files)),
        notes=dataset.notes,
        supports=_supports(dataset),
    )
    with writing(folder / DATA), (folder / DATA).open("wb") as file:
        _write(file, summary, values)
    with writing(folder / SAMPLES):
        _save_samples(dataset, folder / SAMPLES)
    return summary


def _supports(dataset: Dataset) -> tuple[tuple[int, ...], ...]:
    if dataset.supports is None or dataset.supports.size > MOST_ENTRIES:
        return ()
    return tuple(tuple(map(int, np.flatnonzero(row))) for row in dataset.supports)


def _write(file: BinaryIO, summary: DataSummary, values: Mapping[str, NDArray[Any]]) -> None:
    """Write the header, and each array where the header has it, counted from the end of the header."""
    arrays, start = [], 0
    for name, array in values.items():
        arrays.append(_Array(name, array.dtype.str, array.shape, start))
        start = _aligned(start + array.nbytes)
    header = _HEADERS.dumps(_Header(summary, tuple(arrays)))
    file.write(header.ljust(_aligned(len(header) + 1) - 1) + b"\n")
    base = file.tell()
    for place, array in zip(arrays, values.values(), strict=True):
        file.seek(base + place.start)
        file.write(array.data)
    file.truncate(base + start)


def _aligned(n_bytes: int) -> int:
    return -(-n_bytes // _ALIGNED) * _ALIGNED


@lru_cache(maxsize=4)
def load(file: Path) -> Dataset:
    """Map the data set of a file, read-only; the last few are remembered."""
    with file.open("rb") as stream:
        first = stream.readline()
        mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    header = _HEADERS.loads(first)
    arrays: dict[str, Any] = {
        array.name: np.frombuffer(mapped, array.dtype, math.prod(array.shape), len(first) + array.start).reshape(
            array.shape
        )
        for array in header.arrays
    }
    summary = header.summary
    return Dataset(**arrays, image_shape=summary.image_shape, feature_names=summary.feature_names, notes=summary.notes)


def _stamp(file: Path) -> FileStamp:
    status = Path(file).stat()
    return str(file), status.st_size, status.st_mtime_ns


def _save_samples(dataset: Dataset, file: Path) -> None:
    """Keep a few samples to look at: where there are originals, those that differ from them first."""
    if dataset.X is None:
        return
    rows = np.arange(len(dataset.X))
    if dataset.X_clean is not None and dataset.clean_rows is not None:
        differs = np.any(dataset.X[dataset.clean_rows] != dataset.X_clean, axis=1)
        order = np.argsort(~differs, kind="stable")[:SHOWN]
        np.savez(file, X=dataset.X[dataset.clean_rows[order]], X_clean=dataset.X_clean[order])
    else:
        np.savez(file, X=dataset.X[rows[:SHOWN]])
