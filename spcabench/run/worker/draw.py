"""In a worker: draw a data set, check and preprocess it, and keep it as a folder of .npy files.

Every fit maps these read-only.  Seeds: the same draw for every method, another stream for every solver; never the
knob, threads or repeat.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
import traceback
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench import wording
from spcabench.dataset import Dataset
from spcabench.importing import Unusable, resolve
from spcabench.run.messages import DATA, SAMPLES, DrawTask, Result
from spcabench.specs import DataUnavailable
from spcabench.store.about import DataSummary, FileStamp
from spcabench.store.files import writing
from spcabench.suite.preprocessing import preprocessed
from spcabench.wording import Unwritable

SHOWN = 8
"""How many samples are kept to look at."""

MOST_ENTRIES = 2000
"""True supports of more entries are not kept beside the draw: no figure has room for them."""

_ARRAYS = ("X", "covariance", "X_clean", "clean_rows", "X_test", "y", "y_test", "supports")
_ABOUT = "about.json"
"""The file beside the arrays, with what else an estimator or a metric may ask of a data set."""


def draw(task: DrawTask, folder: Path) -> Result:
    """Draw a data set into a folder; what fails is ``unavailable`` or ``error``."""
    try:
        return Result(status="ok", data=save(drawn(task), folder))
    except DataUnavailable as error:
        return Result(status="unavailable", reason=str(error))
    except Unusable as error:
        return Result(status="error", reason=f"the plugin of the data set {task.dataset} is at fault: {error}")
    except Unwritable:
        raise
    except Exception as error:
        return Result(status="error", reason=f"data set {task.dataset}: {_blamed(task.load, error)}")


def drawn(task: DrawTask) -> Dataset:
    """Return the data set of a task, checked and preprocessed; it raises what the loader and the check raise."""
    rng = data_rng(task.dataset, task.params, task.seed)
    return preprocessed(checked(resolve(task.load)(rng, **task.params)), task.preprocess)


def data_rng(name: str, params: Mapping[str, Any], seed: int) -> np.random.Generator:
    """Return the generator of a data set draw: over its name, parameters and seed.

    The parameter ``path`` counts as not given, so that a file has the same draws wherever it lies.
    """
    params = {name: None if name == "path" else value for name, value in params.items()}
    return np.random.default_rng(np.random.SeedSequence([seed, *_words([name, params])]))


def solver_seed(name: str, params: Mapping[str, Any], draw: str, seed: int) -> int:
    """Return the ``random_state`` of a solver, below 2**31: over the method, its parameters, the draw, the seed."""
    sequence = np.random.SeedSequence([seed, *_words([name, params, draw])])
    return int(sequence.generate_state(1, np.uint32)[0] >> 1)


def _words(value: Any) -> list[int]:
    digest = hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).digest()
    return [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)]


def _blamed(load: str, error: Exception) -> str:
    """Describe an error with the loader, its file, and the line of that file at which it came up."""
    file = getattr(sys.modules.get(load.partition(":")[0]), "__file__", None)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    place = f" in {file}" if file else ""
    place += f", line {lines[-1]}" if lines else ""
    return f"its loader {load}{place}: {wording.of_error(error)}"


def checked(dataset: Any) -> Dataset:
    """Return the data set with float64 arrays, or raise what is wrong with it.

    Raises
    ------
    TypeError, ValueError
        If it is not a `Dataset`, has neither samples nor covariance, or holds values that are not finite.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"it returned {type(dataset).__name__} where Dataset is wanted")
    if (dataset.X is None) == (dataset.covariance is None):
        raise ValueError("a data set has either X or a covariance")
    changes: dict[str, Any] = {}
    for name in ("X", "covariance", "X_clean", "X_test"):
        values = getattr(dataset, name)
        if values is None:
            continue
        if np.iscomplexobj(values):
            raise ValueError(f"{name} is of type {np.asarray(values).dtype}; real numbers are wanted")
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


def _values(dataset: Dataset) -> dict[str, NDArray[Any]]:
    present = {name: getattr(dataset, name) for name in _ARRAYS if getattr(dataset, name) is not None}
    return {name: np.ascontiguousarray(array) for name, array in present.items()}


def _fingerprint(values: Mapping[str, NDArray[Any]]) -> str:
    """Return a hash of arrays; raise a TypeError if one holds objects."""
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
    mapped = {file.stem: np.load(file, mmap_mode="r", allow_pickle=False) for file in place.glob("*.npy")}
    # what methods get is no `numpy.memmap`, which some libraries take for something else
    arrays: dict[str, Any] = {name: np.asarray(array) for name, array in mapped.items()}
    return Dataset(
        **arrays,
        image_shape=about["image_shape"] and tuple(about["image_shape"]),
        feature_names=tuple(about["feature_names"]),
        notes=about["notes"],
    )


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
