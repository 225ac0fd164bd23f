"""In a worker: build the estimator, set its knob, fit it under the clock, and check what it returns."""

from __future__ import annotations

import contextlib
import inspect
import os
import random
import resource
import sys
import time
import warnings
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spcabench import wording as words
from spcabench.plugins import resolve
from spcabench.run.joint import Found, search_joint, total_target
from spcabench.solution_paths import thinned_paths
from spcabench.specs import Array, Dataset
from spcabench.store.files import writing

TINY = 1e-12
"""Nonzeros below this share of the largest are flagged: a method is to write exact zeros."""


_WARM: set[tuple[str, str, bool]] = set()
"""The methods that this process has warmed up."""


class _Invalid(Exception):
    """The method returned something that is not a set of loadings."""


def fit(task: Mapping[str, Any], dataset: Dataset, folder: Path) -> dict[str, Any]:
    """Fit a method to a data set.

    Parameters
    ----------
    task : mapping
        ``estimator``, ``params``, ``knob`` (kind, parameter), ``n_components``, ``n_nonzero``, ``random_state``.
    dataset : Dataset
        Mapped read-only.
    folder : Path
        Gets ``loadings.npz``, with the solution paths if there are any; and the files ``fit.begin`` and
        ``fit.end`` when the clock starts and stops, by which the host holds the fit to its limit.

    Returns
    -------
    dict
        ``status``, ``reason``, ``fit`` (facts) and ``timing``; of a fit that finished also ``loadings``: the arrays
        that are in the file.
    """
    try:
        cls = resolve(task["estimator"])
    except ImportError as error:
        hint = f"; {task['extra']}" if task.get("extra") else ""
        return {"status": "unavailable", "reason": words.of_error(error) + hint}
    if task["n_components"] > dataset.n_features:
        reason = f"{task['n_components']} components wanted of data with {dataset.n_features} features"
        return {"status": "skipped", "reason": reason}
    data = dataset.X if dataset.X is not None else dataset.covariance
    assert data is not None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _warm_up(cls, task, dataset)
        del caught[:]
        estimator = _build(cls, task, dataset)
        _seed_global_generators(task["random_state"])
        before = _peak_memory()
        _mark(folder / "fit.begin")
        clock = _Clock()
        if task["knob"]["kind"] == "penalty" and task["n_nonzero"] is not None:
            estimator = _searched(cls, task, dataset, data)
        else:
            _fit_alone(estimator, data)
        timing = {"fit_time": clock.wall, "cpu_time": clock.cpu, "search_time": 0.0, "n_fits": 0}
        found = getattr(estimator, "calibrated_params_", None)
        if isinstance(found, Mapping):
            del caught[:]  # what the search said of other penalties
            estimator, timing = _refit(cls, task, dataset, data, estimator, clock)
        _mark(folder / "fit.end")
        timing["peak_memory"] = max(0.0, _peak_memory() - before)
    try:
        components, mean = _checked(estimator, dataset, task)
    except _Invalid as error:
        return {"status": "invalid", "reason": str(error), "timing": _samples(timing)}
    paths, path_faults = thinned_paths(estimator, dataset.n_features)
    loadings: dict[str, Any] = {"components": components, "mean": mean, **paths}
    with writing(folder / "loadings.npz"):
        np.savez(folder / "loadings.npz", **loadings)
    facts = _facts(estimator, components, task)
    warned = sorted({words.of_error(w.message) for w in caught})[:20]
    facts["warnings"] = warned + path_faults
    if isinstance(found, Mapping):
        facts["found"] = words.plain(found)
    converged = facts["converged"] is not False and not any(w.category.__name__ == "ConvergenceWarning" for w in caught)
    status, reason = ("ok", "") if converged else ("not_converged", next(iter(warned), "did not converge"))
    return {"status": status, "reason": reason, "fit": facts, "timing": _samples(timing), "loadings": loadings}


class _Clock:
    """Wall and CPU seconds since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    @property
    def wall(self) -> float:
        return time.perf_counter() - self._wall

    @property
    def cpu(self) -> float:
        return time.process_time() - self._cpu


def _build(cls: Any, task: Mapping[str, Any], dataset: Dataset, **changes: Any) -> Any:
    """Make the estimator with its parameters, knob and seed, as far as its constructor takes them."""
    takes = _parameters(cls)
    params: dict[str, Any] = {"n_components": task["n_components"], "random_state": task["random_state"]}
    if dataset.covariance is not None:
        params["covariance"] = "precomputed"
    params = {name: value for name, value in params.items() if name in takes}
    if dataset.covariance is not None and "covariance" not in params:
        raise TypeError(f"{cls.__name__} takes no covariance, and the data set has nothing else")
    params |= task["params"]
    if task["n_nonzero"] is not None and task["knob"]["kind"] == "cardinality":
        params[task["knob"]["parameter"]] = task["n_nonzero"]
    return cls(**{**params, **changes})


@cache
def _parameters(cls: Any) -> Collection[str]:
    return frozenset(inspect.signature(cls).parameters)


def _searched(cls: Any, task: Mapping[str, Any], dataset: Dataset, data: Array) -> Found:
    """Search the penalty that all components share."""
    knob = task["knob"]
    target = total_target(task["n_nonzero"], task["n_components"], dataset.n_features)

    def fit_at(penalty: float) -> Any:
        estimator = _build(cls, task, dataset, **{knob["parameter"]: penalty})
        _fit_alone(estimator, data)
        return estimator

    return search_joint(fit_at, knob, target)


def _warm_up(cls: Any, task: Mapping[str, Any], dataset: Dataset) -> None:
    """Fit once to a small problem, so that just-in-time compilation is done before the clock starts."""
    method = (task["estimator"], repr(task["params"]), dataset.covariance is None)
    if method in _WARM:
        return
    _WARM.add(method)
    X = np.random.default_rng(0).standard_normal((24, 6))
    data = X.T @ X / 24 if dataset.X is None else X
    data = data.view(type(dataset.covariance if dataset.X is None else dataset.X))  # what checks data starts up too
    data.flags.writeable = False
    few = {**task, "n_components": 1, "n_nonzero": None if task["n_nonzero"] is None else 2}
    with contextlib.suppress(Exception):  # a method may refuse the small problem; what matters is the real one
        _fit_alone(_build(cls, few, dataset), data)


def _seed_global_generators(seed: int) -> None:
    """Let a method that draws from them be repeatable, and one that seeds them disturb no other."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002


def _fit_alone(estimator: Any, data: Any) -> None:
    """Fit; a process that the method forks and lets run on ends here, or it would leave a result of its own."""
    pid = os.getpid()
    try:
        estimator.fit(data)
    finally:
        if os.getpid() != pid:
            os._exit(0)


def _mark(file: Path) -> None:
    with writing(file):
        file.touch()


def _refit(
    cls: Any, task: Mapping[str, Any], dataset: Dataset, data: Array, searched: Any, clock: _Clock
) -> tuple[Any, dict[str, float]]:
    """Time one plain fit at the penalties that the search inside ``fit`` found."""
    search_time = clock.wall
    estimator = _build(cls, task, dataset, **searched.calibrated_params_)
    clock = _Clock()
    _fit_alone(estimator, data)
    timing = {"fit_time": clock.wall, "cpu_time": clock.cpu}
    n_fits = float(np.sum(words.numbers(getattr(searched, "n_fits_", None)) or 1))
    return estimator, timing | {"search_time": search_time, "n_fits": n_fits}


def _checked(estimator: Any, dataset: Dataset, task: Mapping[str, Any]) -> tuple[Array, Array]:
    """Return float64 loadings with signs fixed, and the mean; or raise what is wrong with them."""
    raw = getattr(estimator, "components_", None)
    if raw is None:
        raise _Invalid("no components_ after fit")
    raw = _array(raw)
    wanted = (task["n_components"], dataset.n_features)
    if raw.dtype.kind not in "fiu":
        raise _Invalid(f"components_ of type {raw.dtype}; real numbers are wanted")
    if raw.shape != wanted:
        raise _Invalid(f"components_ of shape {raw.shape}; wanted is {wanted}")
    components = raw.astype(np.float64)
    if not np.isfinite(components).all():
        raise _Invalid("components_ holds values that are not finite")
    norms = np.linalg.norm(components, axis=1)
    if not np.all((norms == 0) | (np.abs(norms - 1) < 1e-4)):
        worst = norms[np.argmax(np.abs(norms - 1) * (norms != 0))]
        raise _Invalid(f"a row of components_ has norm {worst:.6g}; wanted is 1 or 0")
    largest = components[np.arange(len(components)), np.abs(components).argmax(axis=1)]
    components = np.where(largest[:, None] < 0, -components, components) + 0.0
    return components, _mean(estimator, dataset)


def _mean(estimator: Any, dataset: Dataset) -> Array:
    """Return the mean that the estimator subtracts; that of the data if it does not say."""
    if not hasattr(estimator, "mean_"):
        return np.zeros(dataset.n_features) if dataset.X is None else dataset.X.mean(axis=0)
    try:
        return np.broadcast_to(np.asarray(estimator.mean_, dtype=np.float64), (dataset.n_features,)).copy()
    except (TypeError, ValueError) as error:
        raise _Invalid(f"mean_ is not the mean of {dataset.n_features} features: {words.of_error(error)}") from error


def _array(raw: Any) -> Array:
    """Return components as an array; sparse matrices are taken too, values that are masked are not."""
    if np.ma.is_masked(raw):
        raise _Invalid("components_ holds masked values")
    try:
        return np.asarray(raw.toarray() if hasattr(raw, "toarray") else raw)
    except (TypeError, ValueError) as error:
        raise _Invalid(f"components_ of type {type(raw).__name__}: {words.of_error(error)}") from error


def _facts(estimator: Any, components: Array, task: Mapping[str, Any]) -> dict[str, Any]:
    counts = (components != 0).sum(axis=1)
    magnitudes = np.abs(components)
    limits = TINY * magnitudes.max(axis=1, keepdims=True)
    converged = words.plain(getattr(estimator, "converged_", True))
    facts: dict[str, Any] = {
        "converged": bool(np.all(converged)) if np.asarray(converged).dtype.kind in "biuf" else True,
        "n_iter": words.numbers(getattr(estimator, "n_iter_per_component_", getattr(estimator, "n_iter_", None))),
        "objective": words.numbers(getattr(estimator, "objective_", None)),
        "nnz": counts.tolist(),
        "tiny_nonzeros": int(((magnitudes > 0) & (magnitudes < limits)).sum()),
    }
    if task["n_nonzero"] is not None:
        target = np.minimum(np.broadcast_to(task["n_nonzero"], counts.shape), components.shape[1])
        missed = counts != target if task["knob"]["kind"] == "cardinality" else counts.sum() != target.sum()
        facts["target_missed"] = np.flatnonzero(np.broadcast_to(missed, counts.shape)).tolist()
    return facts


def _samples(timing: Mapping[str, float]) -> dict[str, list[float]]:
    return {name: [value] for name, value in timing.items()}


def _peak_memory() -> float:
    """Return the peak resident memory of this process so far, MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
