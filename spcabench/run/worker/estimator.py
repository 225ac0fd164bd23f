"""In a worker: build the estimator of a task, warm it up, fit it, search the penalty that its components share."""

from __future__ import annotations

import contextlib
import inspect
import math
import os
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from spcabench.calibrate import search_penalty
from spcabench.dataset import Dataset
from spcabench.run.messages import FitTask
from spcabench.specs import Array

_WARM: set[tuple[str, str, bool, bool]] = set()
"""The methods that this process has warmed up."""
SAMPLES, FEW, MANY = 24, 6, 100
"""The samples of the small problem that they are fitted to, and its features; many where the data set is wide."""
GROWTH = 4.0
MOST_STEPS = 40
"""Where a penalty has no upper bound, it grows by this factor up to so many times."""
WIDE = 4.0
"""A data set with more features than so many times its samples is wide."""


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
        wanted, knob = task.n_nonzero, task.method.knob
        if wanted is not None and knob.kind == "cardinality":
            params[knob.parameter] = list(wanted) if isinstance(wanted, tuple) else wanted
        return self.cls(**{**params, **changes})


def warm_up(make: Maker) -> None:
    """Fit once to a small problem, so that just-in-time compilation is done before the clock starts.

    The problem has what decides what is compiled: the parameters, the kind of data, a second component (which is found
    in data that was deflated) if there is one, and far more features than samples if the data set has them.
    """
    task, dataset = make.task, make.dataset
    method = (task.method.estimator, repr(task.params), dataset.covariance is None, task.n_components > 1)
    if method in _WARM:
        return
    _WARM.add(method)
    d = MANY if dataset.X is not None and wide(dataset.X) else FEW
    X = np.random.default_rng(0).standard_normal((SAMPLES, d))
    data = X.T @ X / SAMPLES if dataset.X is None else X
    data.flags.writeable = False
    few = replace(task, n_components=min(task.n_components, 2), n_nonzero=_two_of(task.n_nonzero, task.n_components))
    with contextlib.suppress(Exception):  # a method may refuse the small problem; what matters is the real one
        fit_alone(replace(make, task=few)(), data)


def wide(X: Array) -> bool:
    """Return whether there are far more features than samples; methods then work on the samples."""
    n, d = X.shape
    return bool(d > WIDE * n)


def _two_of(n_nonzero: int | tuple[int, ...] | None, n_components: int) -> int | tuple[int, ...] | None:
    """Return a target of the same form that the small problem can reach."""
    return (2,) * min(n_components, 2) if isinstance(n_nonzero, tuple) else n_nonzero and 2


def fit_alone(estimator: Any, data: Array) -> None:
    """Fit; a process that the method forks and lets run on ends here, or it would leave a result of its own."""
    pid = os.getpid()
    try:
        estimator.fit(data)
    finally:
        if os.getpid() != pid:
            os._exit(0)


def seed_global_generators(seed: int) -> None:
    """Let a method that draws from them be repeatable, and one that seeds them disturb no other."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002


@cache
def _parameters(cls: Any) -> Collection[str]:
    return frozenset(inspect.signature(cls).parameters)


def search_joint(make: Maker, n_nonzero: int | Sequence[int]) -> tuple[dict[str, float], int]:
    """Search the penalty that all components share.

    Parameters
    ----------
    make : Maker
        Makes the estimators; the bounds of the penalty are those of its knob, and the upper one may be infinite.
    n_nonzero : int or sequence of int
        The wanted nonzeros, of every component or of each.

    Returns
    -------
    found : dict
        The penalty whose fit reaches the target over all components, or comes nearest to it from below, by the name of
        its parameter.
    n_fits : int
        How many fits that took.
    """
    knob, n_components = make.task.method.knob, make.task.n_components
    target = int(np.minimum(np.broadcast_to(n_nonzero, n_components), make.dataset.n_features).sum())
    fits = 0

    def nonzeros(penalty: float) -> tuple[int, None]:
        nonlocal fits
        fits += 1
        estimator = make(**{knob.parameter: penalty})
        fit_alone(estimator, make.data)
        return int(np.count_nonzero(estimator.components_)), None

    low, high = knob.low, knob.high
    if math.isinf(high):
        high = low + 1.0
        for _ in range(MOST_STEPS):
            if nonzeros(high)[0] <= target:
                break
            low, high = high, high * GROWTH
    calibration = search_penalty(nonzeros, low, high, target)
    return {knob.parameter: calibration.penalty}, fits
