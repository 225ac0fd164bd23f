"""How far a component is from the best one with as many nonzeros, as a method with a proved bound says."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from spcabench.importing import resolve
from spcabench.parameters import parameter_faults, unknown_name
from spcabench.plugins import Registry
from spcabench.run.seeds import data_rng
from spcabench.run.worker.draw import checked, preprocessed
from spcabench.specs import Array, Dataset, DataUnavailable, Moments
from spcabench.store.folder import RunFolder
from spcabench.suite.plan import Cell, Draw
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


@dataclass(frozen=True)
class Prover:
    """A method that proves bounds.

    Parameters
    ----------
    registry : Registry
        What its name is looked up in.
    name : str
        The method.
    tol : float
        The gap that counts as none.
    """

    registry: Registry
    name: str
    tol: float

    def proofs(self, dataset: Dataset, loadings: Sequence[Array]) -> list[Proof]:
        """Return what it proves of unit loadings; one search serves all of one cardinality.

        Raises
        ------
        InputError
            If there is no such method, or it proves no bound.
        """
        counts = [int(np.count_nonzero(w)) for w in loadings]
        best = {k: self._best(dataset, k) for k in dict.fromkeys(counts)}
        return [self._judged(dataset, w, *best[k]) for w, k in zip(loadings, counts, strict=True)]

    def _best(self, dataset: Dataset, n_nonzero: int) -> tuple[Array, float]:
        """Return the loading that it finds, and its proved bound."""
        if self.name not in self.registry.methods:
            raise InputError(f"no method '{self.name}'{unknown_name(self.name, self.registry.methods)}")
        spec = self.registry.methods[self.name]
        params: dict[str, Any] = {**spec.params, "n_components": 1, spec.knob.parameter: n_nonzero}
        if dataset.X is None:
            params["covariance"] = "precomputed"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a search that is stopped has a bound all the same
            fitted = resolve(spec.estimator)(**params).fit(dataset.covariance if dataset.X is None else dataset.X)
        bound = getattr(fitted, "upper_bound_", None)
        if bound is None:
            raise InputError(f"the method '{self.name}' proves no bound: it has no upper_bound_")
        return np.asarray(fitted.components_[0]), float(np.sum(bound))

    def _judged(self, dataset: Dataset, w: Array, best: Array, bound: float) -> Proof:
        """Return what the best loading and the bound say of a unit loading."""
        moments = Moments(X=dataset.X, covariance=dataset.covariance)
        value, best_value = map(float, moments.covariance_of_scores(np.array([w, best]).T).diagonal())
        bound = max(bound, value, best_value)
        gap = (bound - value) / bound if bound > 0 else 0.0
        status = "optimal" if gap <= self.tol else "improvable" if best_value > value * (1 + self.tol) else "open"
        return Proof(value, best, best_value, bound, gap, status)


@dataclass(frozen=True, eq=False)
class Certified:
    """What was proved of a component of a fit of a run; the reason if nothing was, as its data cannot be had."""

    cell: Cell
    loading: Array
    proof: Proof | None
    reason: str = ""


def certified_run(prover: Prover, folder: RunFolder, cells: Sequence[Cell], component: int) -> list[Certified]:
    """Return what is proved of one component of each fit of a run, in the order of its cells; its data are drawn anew.

    Parameters
    ----------
    prover : Prover
    folder : RunFolder
        The run.
    cells : sequence of Cell
        Its cells.
    component : int
        Which one, counted from 1; it is compared with the best loadings of the data as they are, not deflated.

    Raises
    ------
    InputError
        If no fit has such a component, or the method proves no bound.
    """
    kept = list(_kept_loadings(folder, cells, component))
    if not kept:
        raise InputError(f"{folder.path} has no fit with a component {component} that is not zero")
    found: list[Certified] = []
    for _, group in groupby(sorted(kept, key=lambda pair: pair[0].draw.id), key=lambda pair: pair[0].draw.id):
        found += _of_a_draw(prover, list(group))
    place = {cell.id: number for number, cell in enumerate(cells)}
    return sorted(found, key=lambda one: place[one.cell.id])


def _kept_loadings(folder: RunFolder, cells: Sequence[Cell], component: int) -> Iterator[tuple[Cell, Array]]:
    """Yield the cells that have such a component, and its unit loading."""
    index = folder.index
    for cell in cells:
        held = folder.loadings(index[cell.id]) if cell.id in index else None
        if held is None or len(held["components"]) < component:
            continue
        w = np.asarray(held["components"][component - 1], dtype=np.float64)
        if w.any():
            yield cell, w / np.linalg.norm(w)


def _of_a_draw(prover: Prover, kept: Sequence[tuple[Cell, Array]]) -> list[Certified]:
    """Return what is proved of the loadings of one draw."""
    try:
        dataset = _drawn(kept[0][0].draw)
    except DataUnavailable as reason:
        return [Certified(cell, w, None, f"unavailable: {reason}") for cell, w in kept]
    proofs = prover.proofs(dataset, [w for _, w in kept])
    return [Certified(cell, w, proof) for (cell, w), proof in zip(kept, proofs, strict=True)]


def _drawn(draw: Draw) -> Dataset:
    spec, params = draw.variant.spec, dict(draw.variant.params)
    rng = data_rng(spec.name, params, draw.identity["seed"])
    return preprocessed(checked(resolve(spec.load)(rng, **params)), draw.variant.preprocess)


def loaded_dataset(registry: Registry, name: str, given: Mapping[str, Any]) -> Dataset:
    """Load a data set with some of its parameters.

    Raises
    ------
    InputError
        If there is no such data set, a parameter is not valid, or the data cannot be had.
    """
    if name not in registry.datasets:
        raise InputError(f"no data set '{name}'{unknown_name(name, registry.datasets)}")
    spec = registry.datasets[name]
    if faults := parameter_faults(given, spec.parameters):
        raise InputError("; ".join(message for _, message in faults))
    params = {key: parameter.default for key, parameter in spec.parameters.items()} | dict(given)
    try:
        loaded: Dataset = resolve(spec.load)(np.random.default_rng(0), **params)
    except (DataUnavailable, ValueError, OSError) as reason:
        raise InputError(str(reason)) from reason
    return loaded


def read_loading(file: Path, component: int, n_features: int) -> Array:
    """Return one row of a file of components, as a unit vector.

    Raises
    ------
    InputError
        If the file holds no components, or none that fits.
    """
    try:
        held = np.load(file, allow_pickle=False)
        W = np.atleast_2d(np.asarray(held if isinstance(held, np.ndarray) else held["components"], dtype=np.float64))
    except (ValueError, OSError, EOFError, KeyError) as reason:
        valid = "valid is a .npy file, or .npz with an array of that name"
        raise InputError(f"{file} holds no components: {valid}") from reason
    if component > len(W) or W.shape[1] != n_features:
        raise InputError(f"{file} has the shape {W.shape}; wanted is row {component}, and {n_features} features")
    w = W[component - 1]
    if not np.isfinite(w).all() or not w.any():
        raise InputError(f"{file}: component {component} is zero or not finite")
    return np.asarray(w / np.linalg.norm(w))
