"""In a worker: a data set as a folder of .npy files, which every fit maps read-only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.dataset import Dataset
from spcabench.run.messages import DATA, SAMPLES
from spcabench.store.draw import DataSummary, FileStamp
from spcabench.store.files import writing

SHOWN = 8
"""How many samples are kept to look at."""

MOST_ENTRIES = 2000
"""True supports of more entries are not kept beside the draw: no figure has room for them."""

_ARRAYS = ("X", "covariance", "X_clean", "clean_rows", "X_test", "y", "y_test", "supports")
_ABOUT = "about.json"
"""The file beside the arrays, with what else an estimator or a metric may ask of a data set."""


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
    """Write a data set's arrays into the folder `DATA`, and a few samples to look at; return the summary.

    Raises
    ------
    TypeError
        If an array holds objects.
    """
    values = _values(dataset)
    summary = DataSummary(
        fingerprint=_fingerprint(values),
        facts=tuple(sorted(dataset.facts)),
        n_samples=None if dataset.X is None else len(dataset.X),
        n_features=dataset.n_features,
        image_shape=dataset.image_shape,
        feature_names=tuple(dataset.feature_names),
        files=tuple(map(stamp_of, dataset.files)),
        notes=dataset.notes,
        supports=_supports(dataset),
    )
    place = folder / DATA
    about = {"image_shape": summary.image_shape, "feature_names": summary.feature_names, "notes": summary.notes}
    with writing(place):
        place.mkdir(parents=True)
        (place / _ABOUT).write_text(json.dumps(about), encoding="ascii")
        for name, array in values.items():
            np.save(place / f"{name}.npy", array, allow_pickle=False)
        for file in place.iterdir():
            file.chmod(0o444)
        _save_samples(dataset, folder / SAMPLES)
    return summary


def _supports(dataset: Dataset) -> tuple[tuple[int, ...], ...]:
    if dataset.supports is None or dataset.supports.size > MOST_ENTRIES:
        return ()
    return tuple(tuple(map(int, np.flatnonzero(row))) for row in dataset.supports)


def arrays_in(file: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file; none if there is no file."""
    if not file.exists():
        return {}
    with np.load(file, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


@lru_cache(maxsize=4)
def load(place: Path) -> Dataset:
    """Map the data set of a folder, read-only; the last few are remembered."""
    about = json.loads((place / _ABOUT).read_text(encoding="ascii"))
    arrays: dict[str, Any] = {file.stem: _mapped(file) for file in place.glob("*.npy")}
    return Dataset(
        **arrays,
        image_shape=about["image_shape"] and tuple(about["image_shape"]),
        feature_names=tuple(about["feature_names"]),
        notes=about["notes"],
    )


def _mapped(file: Path) -> NDArray[Any]:
    """Map an array; what methods get is no `numpy.memmap`, which some libraries take for something else."""
    return np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))


def stamp_of(file: Path) -> FileStamp:
    """Return what shows whether a file is another than it was; one that cannot be read has no size."""
    try:
        status = Path(file).stat()
    except OSError:
        return str(file), -1, 0
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
