"""In a worker: draw a data set, check it, preprocess it, and keep it for every fit."""

from __future__ import annotations

import dataclasses
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np

from spcabench import wording
from spcabench.dataset import Dataset
from spcabench.importing import Unusable, resolve
from spcabench.run.messages import DrawTask, Result
from spcabench.run.seeds import data_rng
from spcabench.run.worker.data_files import save
from spcabench.specs import DataUnavailable
from spcabench.suite.preprocessing import preprocessed
from spcabench.wording import Unwritable


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
