"""How far a component is from the best one with as many nonzeros, as a method with a proved bound says."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spcabench.dataset import Dataset
from spcabench.evaluation import Moments
from spcabench.foreign.arrays import NUMBERS
from spcabench.foreign.reader import read_arrays
from spcabench.importing import resolve
from spcabench.parameters import parameter_faults
from spcabench.plugins import Registry
from spcabench.run.dataset_store import draw_task
from spcabench.run.worker.draw import drawn as data_of
from spcabench.specs import Array, DataUnavailable, MethodSpec
from spcabench.store.folder import RunFolder
from spcabench.suite.plan import Cell
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


class Prover:
    """A method that proves bounds, and data; one search serves all loadings of one cardinality.

    Parameters
    ----------
    spec : MethodSpec
        The method.
    tol : float
        The gap that counts as none.
    dataset : Dataset
        The data.
    """

    def __init__(self, spec: MethodSpec, tol: float, dataset: Dataset) -> None:
        self._spec, self._tol, self._dataset = spec, tol, dataset
        self._best = cache(self._search)

    def proof(self, w: Array) -> Proof:
        """Return what it proves of a unit loading.

        Raises
        ------
        InputError
            If it proves no bound.
        """
        best, bound = self._best(int(np.count_nonzero(w)))
        moments = Moments(X=self._dataset.X, covariance=self._dataset.covariance)
        value, best_value = map(float, moments.covariance_of_scores(np.array([w, best]).T).diagonal())
        bound = max(bound, value, best_value)
        gap = (bound - value) / bound if bound > 0 else 0.0
        status = "optimal" if gap <= self._tol else "improvable" if best_value > value * (1 + self._tol) else "open"
        return Proof(value, best, best_value, bound, gap, status)

    def _search(self, n_nonzero: int) -> tuple[Array, float]:
        """Return the best loading that it finds, and its proved bound."""
        spec, dataset = self._spec, self._dataset
        params: dict[str, Any] = {**spec.params, "n_components": 1, spec.knob.parameter: n_nonzero}
        if dataset.X is None:
            params["covariance"] = "precomputed"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a search that is stopped has a bound all the same
            fitted = resolve(spec.estimator)(**params).fit(dataset.covariance if dataset.X is None else dataset.X)
        bound = getattr(fitted, "upper_bound_", None)
        if bound is None:
            raise InputError(f"the method '{spec.name}' proves no bound: it has no upper_bound_")
        return np.asarray(fitted.components_[0]), float(np.sum(bound))


def certified_run(
    spec: MethodSpec, tol: float, folder: RunFolder, cells: Sequence[Cell], component: int
) -> list[tuple[Cell, Array, Proof | str]]:
    """Return what a method proves of one component of each fit of a run; its data are drawn anew.

    Parameters
    ----------
    spec : MethodSpec
        The method.
    tol : float
        The gap that counts as none.
    folder : RunFolder
        The run.
    cells : sequence of Cell
        Its cells.
    component : int
        Which one, counted from 1; it is compared with the best loadings of the data as they are, not deflated.

    Returns
    -------
    list of (Cell, ndarray, Proof or str)
        The unit loading, and the reason if nothing is proved of it, as its data cannot be had.

    Raises
    ------
    InputError
        If no fit has such a component, or the method proves no bound.
    """
    provers: dict[str, Prover | str] = {}
    found: list[tuple[Cell, Array, Proof | str]] = []
    for cell in cells:
        held = folder.loadings(folder.index[cell.id]) if cell.id in folder.index else None
        if held is None or len(held["components"]) < component or not held["components"][component - 1].any():
            continue
        if cell.draw.id not in provers:
            try:
                drawn = data_of(draw_task(cell.draw.variant, cell.draw.seed))
                provers = {cell.draw.id: Prover(spec, tol, drawn)}  # that of one draw is kept at a time
            except DataUnavailable as reason:
                provers = {cell.draw.id: f"unavailable: {reason}"}
        prover = provers[cell.draw.id]
        w = _unit(held["components"][component - 1])
        found.append((cell, w, prover if isinstance(prover, str) else prover.proof(w)))
    if not found:
        raise InputError(f"{folder.path} has no fit with a component {component} that is not zero")
    return found


def _unit(loading: Any) -> Array:
    w = np.asarray(loading, dtype=np.float64)
    return np.asarray(w / np.linalg.norm(w))


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
    try:
        return data_of(draw_task(variant_of(spec, given), 0))
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
