"""In a worker: draw a data set and keep it as .npy files that every fit maps read-only."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from spcabench import wording as words
from spcabench.plugins import resolve
from spcabench.run.seeds import data_rng
from spcabench.specs import Array, Dataset, DataUnavailable
from spcabench.store.files import read_json, write_json, writing

SHOWN = 8
"""How many samples are kept to look at."""

_ARRAYS = ("X", "covariance", "X_clean", "clean_rows", "X_test", "y", "y_test", "supports")


def draw(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Draw a data set into a folder.

    Parameters
    ----------
    task : mapping
        ``load``, ``dataset`` (name), ``params``, ``preprocess``, ``seed``.
    folder : Path
        Gets one ``.npy`` per array, ``meta.json`` and ``samples.npz``.

    Returns
    -------
    dict
        ``status`` ``ok`` with the meta data, ``unavailable`` or ``error`` with the ``reason``.
    """
    rng = data_rng(task["dataset"], task["params"], task["seed"])
    try:
        dataset = resolve(task["load"])(rng, **task["params"])
        dataset = preprocessed(checked(dataset), task["preprocess"])
    except DataUnavailable as error:
        return {"status": "unavailable", "reason": str(error)}
    except Exception as error:
        return {"status": "error", "reason": f"data set {task['dataset']}: {words.of_error(error)}"}
    return {"status": "ok", "meta": save(dataset, folder)}


def checked(dataset: Any) -> Dataset:
    """Return the data set with float64 arrays, or raise what is wrong with it.

    Raises
    ------
    TypeError, ValueError
        If it is not a `Dataset`, has neither samples nor covariance, or holds values that are not finite.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"its loader returned {type(dataset).__name__} where Dataset is wanted")
    if (dataset.X is None) == (dataset.covariance is None):
        raise ValueError("a data set has either X or a covariance")
    changes: dict[str, Any] = {}
    for name in ("X", "covariance", "X_clean", "X_test"):
        values = getattr(dataset, name)
        if values is None:
            continue
        values = np.ascontiguousarray(values, dtype=np.float64)
        if values.ndim != 2 or not values.size or values.shape[1] != dataset.n_features:
            raise ValueError(f"{name} has shape {values.shape}; wanted is (rows, {dataset.n_features})")
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            raise ValueError(f"{name} is {values[row, column]} at row {row}, column {column}; finite is wanted")
        changes[name] = values
    if dataset.X_clean is not None and dataset.clean_rows is None:
        changes["clean_rows"] = np.arange(len(dataset.X_clean))
    return dataclasses.replace(dataset, **changes)


def preprocessed(dataset: Dataset, how: str) -> Dataset:
    """Centre or standardise all sample sets by the means and scales of the training samples."""
    if how == "none":
        return dataset
    if dataset.covariance is not None:
        scale = np.sqrt(np.diag(dataset.covariance)) if how == "standardise" else np.ones(dataset.n_features)
        scale = np.where(scale > 0, scale, 1.0)
        return dataclasses.replace(dataset, covariance=dataset.covariance / np.outer(scale, scale))
    assert dataset.X is not None
    mean = dataset.X.mean(axis=0)
    scale = dataset.X.std(axis=0) if how == "standardise" else np.ones(dataset.n_features)
    scale = np.where(scale > 0, scale, 1.0)

    def apply(values: Array | None) -> Array | None:
        return None if values is None else (values - mean) / scale

    return dataclasses.replace(
        dataset, X=apply(dataset.X), X_clean=apply(dataset.X_clean), X_test=apply(dataset.X_test)
    )


def save(dataset: Dataset, folder: Path) -> dict[str, Any]:
    """Write a data set's arrays and meta data; give the meta data."""
    folder.mkdir(parents=True, exist_ok=True)
    fingerprint = hashlib.sha256()
    for name in _ARRAYS:
        values = getattr(dataset, name)
        if values is not None:
            with writing(folder / f"{name}.npy"):
                np.save(folder / f"{name}.npy", values, allow_pickle=False)
            fingerprint.update(f"{name}{values.shape}{values.dtype}".encode())
            fingerprint.update(np.ascontiguousarray(values).data)
    meta = {
        "facts": sorted(dataset.facts),
        "n_samples": None if dataset.X is None else len(dataset.X),
        "n_features": dataset.n_features,
        "image_shape": dataset.image_shape,
        "feature_names": list(dataset.feature_names),
        "files": [[str(file), *_stat(file)] for file in dataset.files],
        "notes": dataset.notes,
        "fingerprint": fingerprint.hexdigest()[:20],
    }
    write_json(folder / "meta.json", meta)
    with writing(folder / "samples.npz"):
        _save_samples(dataset, folder / "samples.npz")
    return meta


@lru_cache(maxsize=4)
def load(folder: Path) -> Dataset:
    """Map the data set of a folder, read-only; the last few are remembered."""
    meta = read_json(folder / "meta.json")
    arrays = {
        name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        for name in _ARRAYS
        if (folder / f"{name}.npy").exists()
    }
    shape = meta["image_shape"]
    return Dataset(
        **arrays,
        image_shape=tuple(shape) if shape else None,
        feature_names=tuple(meta["feature_names"]),
        notes=meta["notes"],
    )


def _stat(file: Path) -> tuple[int, int]:
    status = Path(file).stat()
    return status.st_size, status.st_mtime_ns


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
