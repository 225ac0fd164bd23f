"""In a worker: check what a fitted estimator says, and put it in one form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench import wording
from spcabench.dataset import Dataset
from spcabench.run.messages import FitTask
from spcabench.specs import Array
from spcabench.store.record import Facts

UNIT = 1e-4
"""How far the norm of a row may be from 1."""


class Invalid(Exception):
    """The method returned something that is not a set of loadings."""


def checked(estimator: Any, dataset: Dataset, n_components: int) -> tuple[Array, Array]:
    """Return float64 loadings with signs fixed, and the mean.

    Raises
    ------
    Invalid
        With what is wrong with them.
    """
    raw = getattr(estimator, "components_", None)
    if raw is None:
        raise Invalid("no components_ after fit")
    raw = _array(raw)
    wanted = (n_components, dataset.n_features)
    if raw.dtype.kind not in "fiu":
        raise Invalid(f"components_ of type {raw.dtype}; real numbers are wanted")
    if raw.shape != wanted:
        raise Invalid(f"components_ of shape {raw.shape}; wanted is {wanted}")
    components = raw.astype(np.float64)
    if not np.isfinite(components).all():
        raise Invalid("components_ holds values that are not finite")
    norms = np.linalg.norm(components, axis=1)
    if not np.all((norms == 0) | (np.abs(norms - 1) < UNIT)):
        worst = norms[np.argmax(np.abs(norms - 1) * (norms != 0))]
        raise Invalid(f"a row of components_ has norm {worst:.6g}; wanted is 1 or 0")
    largest = components[np.arange(len(components)), np.abs(components).argmax(axis=1)]
    components = np.where(largest[:, None] < 0, -components, components) + 0.0
    return components, _mean(estimator, dataset)


def facts_of(
    estimator: Any, components: Array, task: FitTask, warned: tuple[str, ...], found: Mapping[str, Any] | None
) -> Facts:
    """Return the facts of a fit.

    Parameters
    ----------
    estimator : object
        Fitted.
    components : ndarray of shape (n_components, n_features)
        Its loadings.
    task : FitTask
        With the wanted cardinality.
    warned : tuple of str
        Its warnings.
    found : mapping, optional
        The parameters that a search found.
    """
    counts = (components != 0).sum(axis=1)
    method = task.method
    settings = filter(None, ("n_components", method.tolerance, method.iterations, method.starts))
    deflation = getattr(estimator, "deflation", "")
    return Facts(
        converged=_converged(estimator),
        program=wording.bounded(str(getattr(estimator, "program_", ""))),
        own_clock=getattr(estimator, "fit_seconds_", None) is not None,
        n_iter=wording.numbers(getattr(estimator, "n_iter_per_component_", getattr(estimator, "n_iter_", None))),
        objective=wording.numbers(getattr(estimator, "objective_", None)),
        upper_bound=wording.numbers(getattr(estimator, "upper_bound_", None)),
        deflation=deflation if isinstance(deflation, str) else "",
        nnz=tuple(counts.tolist()),
        target_missed=_missed(counts, task, components.shape[1]),
        warnings=warned,
        found=None if found is None else wording.plain(found),
        settings={name: wording.plain(getattr(estimator, name)) for name in settings if hasattr(estimator, name)},
    )


def _converged(estimator: Any) -> bool:
    said = np.asarray(wording.plain(getattr(estimator, "converged_", True)))
    return bool(np.all(said)) if said.dtype.kind in "biuf" else True


def _missed(counts: NDArray[np.intp], task: FitTask, n_features: int) -> tuple[int, ...] | None:
    """Return which components missed their cardinality; a penalty that all share has one target, their sum."""
    if task.n_nonzero is None:
        return None
    target = np.minimum(np.broadcast_to(task.n_nonzero, counts.shape), n_features)
    if task.method.knob.kind == "cardinality":
        missed = counts != target
    else:
        missed = np.full(counts.shape, counts.sum() != target.sum())
    return tuple(np.flatnonzero(missed).tolist())


def _mean(estimator: Any, dataset: Dataset) -> Array:
    """Return the mean that the estimator subtracts; that of the data if it does not say."""
    if not hasattr(estimator, "mean_"):
        return np.zeros(dataset.n_features) if dataset.X is None else dataset.X.mean(axis=0)
    try:
        return np.broadcast_to(np.asarray(estimator.mean_, dtype=np.float64), (dataset.n_features,)).copy()
    except (TypeError, ValueError) as error:
        raise Invalid(f"mean_ is not the mean of {dataset.n_features} features: {wording.of_error(error)}") from error


def _array(raw: Any) -> Array:
    """Return components as an array; sparse matrices are taken too, values that are masked are not."""
    if np.ma.is_masked(raw):
        raise Invalid("components_ holds masked values")
    try:
        return np.asarray(raw.toarray() if hasattr(raw, "toarray") else raw)
    except (TypeError, ValueError) as error:
        raise Invalid(f"components_ of type {type(raw).__name__}: {wording.of_error(error)}") from error
