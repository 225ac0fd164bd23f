"""In a worker: build the estimator of a task, and fit it where nothing can come of a process that it forks."""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from spcabench.run.messages import FitTask
from spcabench.specs import Array, Dataset

_WARM: set[tuple[str, str, bool]] = set()
"""The methods that this process has warmed up."""


@dataclass(frozen=True)
class Maker:
    """Makes estimators of one class for one task.

    Parameters
    ----------
    cls : type
        The estimator's class.
    task : FitTask
        Its parameters, knob and seed.
    dataset : Dataset
        What it is to fit.
    """

    cls: Any
    task: FitTask
    dataset: Dataset

    @property
    def data(self) -> Array:
        """The matrix that ``fit`` takes: the samples, or the covariance where there is nothing else."""
        data = self.dataset.X if self.dataset.X is not None else self.dataset.covariance
        assert data is not None
        return data

    def __call__(self, **changes: Any) -> Any:
        """Make an estimator with its parameters, knob and seed, as far as its constructor takes them."""
        task, takes = self.task, _parameters(self.cls)
        params: dict[str, object] = {"n_components": task.n_components, "random_state": task.random_state}
        if self.dataset.covariance is not None:
            params["covariance"] = "precomputed"
        params = {name: value for name, value in params.items() if name in takes}
        if self.dataset.covariance is not None and "covariance" not in params:
            raise TypeError(f"{self.cls.__name__} takes no covariance, and the data set has nothing else")
        params |= task.params
        if task.n_nonzero is not None and task.knob.kind == "cardinality":
            params[task.knob.parameter] = list(task.n_nonzero) if isinstance(task.n_nonzero, tuple) else task.n_nonzero
        return self.cls(**{**params, **changes})


def warm_up(make: Maker) -> None:
    """Fit once to a small problem, so that just-in-time compilation is done before the clock starts."""
    task, dataset = make.task, make.dataset
    method = (task.estimator, repr(task.params), dataset.covariance is None)
    if method in _WARM:
        return
    _WARM.add(method)
    X = np.random.default_rng(0).standard_normal((24, 6))
    data = X.T @ X / 24 if dataset.X is None else X
    data = data.view(type(make.data))  # what checks data starts up too
    data.flags.writeable = False
    few = replace(task, n_components=1, n_nonzero=None if task.n_nonzero is None else 2)
    with contextlib.suppress(Exception):  # a method may refuse the small problem; what matters is the real one
        fit_alone(replace(make, task=few)(), data)


def fit_alone(estimator: Any, data: Array) -> None:
    """Fit; a process that the method forks and lets run on ends here, or it would leave a result of its own."""
    pid = os.getpid()
    try:
        estimator.fit(data)
    finally:
        if os.getpid() != pid:
            os._exit(0)


@cache
def _parameters(cls: Any) -> Collection[str]:
    return frozenset(inspect.signature(cls).parameters)
