"""Compute metrics from stored loadings; never by fitting."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Any

import numpy as np

from spcabench import wording
from spcabench.dataset import Dataset, Evaluation, Fitted, Moments
from spcabench.importing import resolve
from spcabench.metrics._refit import refitted, together
from spcabench.parameters import shown
from spcabench.run.messages import MetricTask
from spcabench.specs import Array, Refit
from spcabench.store.record import Facts, Timing
from spcabench.suite.columns import Column, On
from spcabench.traces import paths_of


def score(
    metrics: Sequence[MetricTask], dataset: Dataset, loadings: Mapping[str, Array], facts: Facts, timing: Timing
) -> tuple[dict[str, float], dict[str, str]]:
    """Compute metrics of a fit; return their values, and why others have none, by name.

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
        deflation=facts.deflation,
        fit_time=median(timing.fit_time),
        search_time=timing.search_time[0],
        cold_time=median(timing.cold_time or (np.nan,)),
        n_fits=int(np.nan_to_num(timing.n_fits[0])),
        paths=paths_of(loadings),
        trace=facts.trace,
    )
    samples = _samples(dataset)

    @cache
    def fit(kind: Refit) -> Fitted:
        if not kind:
            return fitted
        if kind == "together":
            loadings = together(fitted.components, fit(True).components, samples["train"])
        else:
            loadings = refitted(fitted.components, samples["train"])
        return replace(fitted, components=loadings)

    values: dict[str, float] = {}
    errors: dict[str, str] = {}
    for metric, column in _columns(metrics, dataset):
        try:
            shown = fit(column.refitted and metric.spec.refitted)
            evaluation = Evaluation(dataset=dataset, fitted=shown, moments=samples[column.on])
            values |= named(column.stem, resolve(metric.spec.compute)(evaluation, **metric.params))
        except BaseException as error:  # that of a metric which raises GeneratorExit too
            if by_user(error):
                raise
            errors[column.stem] = wording.of_error(error)
    return values, errors


def by_user(error: BaseException) -> bool:
    """Return whether an error is the user's Ctrl-C; where that does not arrive, the method has raised it."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def names(metrics: Sequence[MetricTask], dataset: Dataset) -> tuple[str, ...]:
    """Name what `score` computes."""
    return tuple(column.stem for _, column in _columns(metrics, dataset))


def _samples(dataset: Dataset) -> dict[On, Moments]:
    """Return the second moments of the samples that are known, the training samples first."""
    others: dict[On, Array | None] = {"clean": dataset.X_clean, "test": dataset.X_test}
    known: dict[On, Moments] = {on: Moments(X=X) for on, X in others.items() if X is not None}
    return {"train": Moments(X=dataset.X, covariance=dataset.covariance), **known}


def _columns(metrics: Sequence[MetricTask], dataset: Dataset) -> Iterator[tuple[MetricTask, Column]]:
    """Yield each metric as returned and, if it has one, refitted; on each set of samples if it has a value for each."""
    once: tuple[On, ...] = ("train",)
    usable = [metric for metric in metrics if metric.spec.requires <= dataset.facts]
    samples = _samples(dataset) if usable else {}
    for metric in usable:
        for is_refitted in (False, True) if metric.spec.refitted else (False,):
            for on in samples if metric.spec.on == "each" else once:
                yield metric, Column(metric.spec.name, on, refitted=is_refitted)


def named(name: str, result: Any) -> dict[str, float]:
    """Return the values of a metric by their names.

    Raises
    ------
    TypeError
        If what it returned is neither a number nor a mapping to numbers.
    """
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
