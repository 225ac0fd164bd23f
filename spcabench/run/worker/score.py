"""Compute metrics from stored loadings; never by fitting."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np

from spcabench import wording
from spcabench.parameters import shown
from spcabench.plugins import resolve
from spcabench.run.messages import MetricTask, Scores
from spcabench.solution_paths import paths_of
from spcabench.specs import Array, Dataset, Evaluation, Fitted, Moments
from spcabench.store.record import Facts, Timing


def score(
    metrics: Sequence[MetricTask], dataset: Dataset, loadings: Mapping[str, Array], facts: Facts, timing: Timing
) -> Scores:
    """Compute metrics of a fit.

    Parameters
    ----------
    metrics : sequence of MetricTask
        Those whose requirements the data set does not meet are left out.
    dataset : Dataset
        What was fitted.
    loadings : mapping
        ``components``, ``mean``, and the solution paths if there are any.
    facts, timing : Facts, Timing
        Of the fit.
    """
    fitted = Fitted(
        components=loadings["components"],
        mean=loadings["mean"],
        n_iter=_array(facts.n_iter, np.int64),
        objective=_array(facts.objective, np.float64),
        upper_bound=_array(facts.upper_bound, np.float64),
        fit_time=median(timing.fit_time),
        search_time=timing.search_time[0],
        n_fits=int(timing.n_fits[0]),
        paths=paths_of(loadings),
        trace=facts.trace,
    )
    training = Moments(X=dataset.X, covariance=dataset.covariance)
    sets = {"": training}
    if dataset.X_clean is not None:
        sets["_clean"] = Moments(X=dataset.X_clean)
    if dataset.X_test is not None:
        sets["_test"] = Moments(X=dataset.X_test)
    values: dict[str, float] = {}
    errors: dict[str, str] = {}
    for metric in metrics:
        if not set(metric.requires) <= dataset.facts:
            continue
        for suffix, moments in sets.items() if metric.on == "each" else [("", training)]:
            name = metric.name + suffix
            evaluation = Evaluation(dataset=dataset, fitted=fitted, moments=moments)
            try:
                values |= _named(name, resolve(metric.compute)(evaluation, **metric.params))
            except Exception as error:
                errors[name] = wording.of_error(error)
    return Scores(values=values, errors=errors)


def _named(name: str, result: Any) -> dict[str, float]:
    if isinstance(result, Mapping):
        return {f"{name}@{key}": _number(value) for key, value in result.items()}
    return {name: _number(result)}


def _number(value: Any) -> float:
    """Return a value as a number.

    Raises
    ------
    TypeError
        If it is none; text that happens to look like a number is none.
    """
    if not isinstance(value, str | bytes):
        with contextlib.suppress(TypeError, ValueError):
            return float(value)
    raise TypeError(f"it returned {shown(value)}, where a number or a mapping to numbers is wanted")


def _array(value: Any, dtype: Any) -> Any:
    """Return a fact as an array; None if it is not what it should be."""
    try:
        return None if value is None else np.atleast_1d(np.asarray(value, dtype=dtype))
    except (TypeError, ValueError, OverflowError):
        return None
