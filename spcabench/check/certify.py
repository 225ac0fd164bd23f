"""How far a component is from the best one with as many nonzeros, as a method with a proved bound says."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from spcabench.dataset import Dataset, Moments
from spcabench.foreign.arrays import NUMBERS
from spcabench.foreign.reader import read_arrays
from spcabench.importing import resolve
from spcabench.parameters import parameter_faults
from spcabench.plugins import Registry
from spcabench.run.dataset_store import draw_task
from spcabench.run.worker.draw import drawn as data_of
from spcabench.specs import Array, DataUnavailable, MethodSpec
from spcabench.store.folder import RunFolder
from spcabench.suite.plan import Cell, Draw, Plan
from spcabench.suite.variants import variant_of
from spcabench.wording import InputError


@dataclass(frozen=True, eq=False)
class Proof:
    """How far a unit loading is from the best one with as many nonzeros.

    Parameters
    ----------
    value : float
        Its variance.
    best : ndarray of shape (n_features,)
        The loading that the proving method found.
    best_value : float
        The variance of that.
    bound : float
        What no loading with as many nonzeros exceeds.
    gap : float
        ``(bound - value) / bound``.
    status : str
        ``optimal``, ``improvable`` or ``open``.
    """

    value: float
    best: Array
    best_value: float
    bound: float
    gap: float
    status: str


def prover(dataset: Dataset, spec: MethodSpec, tol: float) -> Callable[[Array], Proof]:
    """Return what proves something of unit loadings; one search serves all with as many nonzeros.

    Parameters
    ----------
    dataset : Dataset
        The data.
    spec : MethodSpec
        The method.
    tol : float
        The gap that counts as none.
    """
    moments = Moments(X=dataset.X, covariance=dataset.covariance)
    search = cache(partial(_best, dataset, spec))

    def proof(w: Array) -> Proof:
        best, proved = search(int(np.count_nonzero(w)))
        value, best_value = map(float, moments.covariance_of_scores(np.array([w, best]).T).diagonal())
        bound = max(proved, value, best_value)
        gap = (bound - value) / bound if bound > 0 else 0.0
        status = "optimal" if gap <= tol else "improvable" if best_value > value * (1 + tol) else "open"
        return Proof(value, best, best_value, bound, gap, status)

    return proof


def _best(dataset: Dataset, spec: MethodSpec, n_nonzero: int) -> tuple[Array, float]:
    """Return the best loading that a method finds, and its proved bound."""
    params: dict[str, Any] = {**spec.params, "n_components": 1, spec.knob.parameter: n_nonzero}
    if dataset.X is None:
        params["covariance"] = "precomputed"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a search that is stopped has a bound all the same
        fitted = resolve(spec.estimator)(**params).fit(dataset.covariance if dataset.X is None else dataset.X)
    proved = getattr(fitted, "upper_bound_", None)
    if proved is None:
        raise InputError(f"the method '{spec.name}' proves no bound: it has no upper_bound_")
    return np.asarray(fitted.components_[0]), float(np.sum(proved))


def certified_run(
    spec: MethodSpec, tol: float, folder: RunFolder, plan: Plan, component: int
) -> Iterator[tuple[Cell, Array, Proof | str]]:
    """Yield what a method proves of one component of each fit of a run, whose data are drawn anew.

    Parameters
    ----------
    spec : MethodSpec
        The method.
    tol : float
        The gap that counts as none.
    folder, plan : RunFolder, Plan
        The run.
    component : int
        Which one, counted from 1; it is compared with the best loadings of the data as they are, not deflated.

    Yields
    ------
    (Cell, ndarray, Proof or str)
        The unit loading, and the reason if nothing is proved of it, as its data cannot be had.
    """
    index = folder.index
    for _, cells in groupby(plan.cells, lambda cell: cell.draw.id):
        held = ((cell, folder.loadings(index.get(cell.id, ""))) for cell in cells)
        rows = [(cell, part) for cell, kept in held if kept for part in kept["components"][component - 1 : component]]
        fits = [(cell, _unit(row)) for cell, row in rows if row.any()]
        if not fits:
            continue
        try:
            proof = prover(_drawn(fits[0][0].draw), spec, tol)
        except InputError as reason:
            yield from ((cell, w, str(reason)) for cell, w in fits)
        else:
            yield from ((cell, w, proof(w)) for cell, w in fits)


def _unit(loading: Array) -> Array:
    return np.asarray(loading / np.linalg.norm(loading), dtype=np.float64)


def loaded_dataset(registry: Registry, name: str, given: Mapping[str, Any]) -> Dataset:
    """Draw a data set with some of its parameters, as a run does with the seed 0.

    Raises
    ------
    InputError
        If there is no such data set, a parameter is not valid, or the data cannot be had.
    """
    spec = registry.datasets[name]
    if faults := parameter_faults(given, spec.parameters):
        raise InputError("; ".join(message for _, message in faults))
    return _drawn(Draw(variant_of(spec, given), 0))


def _drawn(draw: Draw) -> Dataset:
    """Draw data as a run does, or say why they cannot be had."""
    try:
        return data_of(draw_task(draw.variant, draw.seed))
    except (DataUnavailable, ValueError, OSError) as reason:
        raise InputError(str(reason)) from reason


def read_loading(file: Path, component: int, n_features: int) -> Array:
    """Return one row of a file of components, as a unit vector.

    Raises
    ------
    InputError
        If the file holds no components, or none that fits.
    """
    held = read_arrays(file)
    W = np.atleast_2d(held.get("", held.get("components", np.empty(0))))
    if W.ndim != 2 or W.dtype.kind not in NUMBERS or not W.size:
        raise InputError(f"{file} holds no components; valid is a .npy file, or .npz with a matrix of that name")
    if component > len(W) or W.shape[1] != n_features:
        raise InputError(f"{file} has the shape {W.shape}; wanted is row {component}, and {n_features} features")
    w = W[component - 1]
    if not np.isfinite(w).all() or not w.any():
        raise InputError(f"{file}: component {component} is zero or not finite")
    return _unit(w)
