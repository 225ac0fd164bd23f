"""Compute metrics from stored loadings; never by fitting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np

from spcabench import wording as words
from spcabench.plugins import resolve
from spcabench.solution_paths import paths_of
from spcabench.specs import Array, Dataset, Evaluation, Fitted, Moments


def score(
    metrics: Sequence[Mapping[str, Any]],
    dataset: Dataset,
    loadings: Mapping[str, Array],
    fit: Mapping[str, Any],
    timing: Mapping[str, Sequence[float]],
) -> tuple[dict[str, float], dict[str, str]]:
    """Compute metrics of a fit.

    Parameters
    ----------
    metrics : sequence of mappings
        ``name``, ``compute``, ``on``, ``requires``, ``params``.
    dataset : Dataset
        What was fitted.
    loadings : mapping
        ``components``, ``mean``, and the solution paths if there are any.
    fit, timing : mappings
        A record's facts and times.

    Returns
    -------
    values : dict of str to float
        By name; those whose requirements the data set does not meet are left out.
    errors : dict of str to str
        Why a metric could not be computed.
    """
    fitted = Fitted(
        components=loadings["components"],
        mean=loadings["mean"],
        n_iter=_array(fit.get("n_iter"), np.int64),
        objective=_array(fit.get("objective"), np.float64),
        fit_time=median(timing["fit_time"]),
        search_time=float(timing["search_time"][0]),
        n_fits=int(timing["n_fits"][0]),
        paths=paths_of(loadings),
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
        if not set(metric["requires"]) <= dataset.facts:
            continue
        for suffix, moments in sets.items() if metric["on"] == "each" else [("", training)]:
            name = metric["name"] + suffix
            evaluation = Evaluation(dataset=dataset, fitted=fitted, moments=moments)
            try:
                values |= _named(name, resolve(metric["compute"])(evaluation, **metric["params"]))
            except Exception as error:
                errors[name] = words.of_error(error)
    return values, errors


def _named(name: str, result: Any) -> dict[str, float]:
    if isinstance(result, Mapping):
        return {f"{name}@{key}": float(value) for key, value in result.items()}
    return {name: float(result)}


def _array(value: Any, dtype: Any) -> Any:
    """Return a fact as an array; None if it is not what it should be."""
    try:
        return None if value is None else np.atleast_1d(np.asarray(value, dtype=dtype))
    except (TypeError, ValueError, OverflowError):
        return None
