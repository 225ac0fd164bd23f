"""In a worker: a data set as files, one .npy an array, which every fit maps read-only."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np

from spcabench.run.messages import SAMPLES
from spcabench.specs import Dataset
from spcabench.store.draw import SUMMARIES, DataSummary, FileStamp
from spcabench.store.files import write_bytes, writing

SHOWN = 8
"""How many samples are kept to look at."""

_ARRAYS = ("X", "covariance", "X_clean", "clean_rows", "X_test", "y", "y_test", "supports")
_SUMMARY = "meta.json"


def save(dataset: Dataset, folder: Path) -> DataSummary:
    """Write a data set's arrays, its summary, and a few samples to look at; return the summary."""
    folder.mkdir(parents=True, exist_ok=True)
    fingerprint = hashlib.sha256()
    for name in _ARRAYS:
        values = getattr(dataset, name)
        if values is not None:
            with writing(folder / f"{name}.npy"):
                np.save(folder / f"{name}.npy", values, allow_pickle=False)
            fingerprint.update(f"{name}{values.shape}{values.dtype}".encode())
            fingerprint.update(np.ascontiguousarray(values).data)
    summary = DataSummary(
        fingerprint=fingerprint.hexdigest()[:20],
        facts=tuple(sorted(dataset.facts)),
        n_samples=None if dataset.X is None else len(dataset.X),
        n_features=dataset.n_features,
        image_shape=dataset.image_shape,
        feature_names=tuple(dataset.feature_names),
        files=tuple(map(_stamp, dataset.files)),
        notes=dataset.notes,
    )
    write_bytes(folder / _SUMMARY, SUMMARIES.dumps(summary))
    with writing(folder / SAMPLES):
        _save_samples(dataset, folder / SAMPLES)
    return summary


@lru_cache(maxsize=4)
def load(folder: Path) -> Dataset:
    """Map the data set of a folder, read-only; the last few are remembered."""
    summary = SUMMARIES.loads((folder / _SUMMARY).read_bytes())
    arrays = {
        name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        for name in _ARRAYS
        if (folder / f"{name}.npy").exists()
    }
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
