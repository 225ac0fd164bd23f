"""How many components and how many nonzeros: what a selector chooses within the seconds that there are."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from spcabench.explore.budget import Budget
from spcabench.specs import Array
from spcabench.store.files import write_bytes
from spcabench.targets import resolve

SHARE = 0.4
"""Of the seconds that are left, for choosing."""
LEAD = 1.5
"""The workers of a run start in so many times what the start of this process took."""
FOLDS, HALVES = 10, 20
LEAST_PATHS = 12
"""With time for fewer fits of all cardinalities of a component there is no vote."""
FEW = 20
"""With fewer samples nothing is held out."""
CARDINALITIES = (*range(1, 14), 15, 17, 20, 25, 30, 40, 60, 90, 130, 200)
"""What is chosen from, as far as there are features."""
MOST_EIGENVALUES = 15
MOST_COMPONENTS = 10
"""Components that are counted at most."""
PATHS_OF_A_COUNT = 5.0
"""What it costs to look for one more sparse component, in fits of one component at all cardinalities."""
MOST_ROWS = 20_000
"""Rows that a choice is made from at most."""


@dataclass(frozen=True)
class Choice:
    """How many components, and how many nonzeros each has.

    Parameters
    ----------
    n_nonzero : list of int
        Of each component.
    rules : mapping of str to list of int
        What each rule says of each component.
    counts : mapping of str to int
        What each rule says of the number of components; empty if the user said it.
    grid : list of int
        The cardinalities that were compared.
    curves : mapping of str to list of list of float
        The values of each rule, by component and cardinality.
    eigenvalues, chance : list of float
        The leading eigenvalues, and the largest of permuted columns; empty if the user said the components.
    unpredicted : list of float
        The share of held-out blocks that 0, 1, ... components leave.
    notes : list of str
        What a reader must know of the choice.
    """

    n_nonzero: list[int]
    rules: Mapping[str, list[int]]
    counts: Mapping[str, int]
    grid: list[int]
    curves: Mapping[str, list[list[float]]]
    eigenvalues: list[float]
    chance: list[float]
    unpredicted: list[float]
    notes: list[str]

    @property
    def n_components(self) -> int:
        """How many components."""
        return len(self.n_nonzero)

    @property
    def level(self) -> int | list[int]:
        """The nonzeros as a suite has them: one number where they are equal."""
        return self.n_nonzero[0] if len(set(self.n_nonzero)) == 1 else self.n_nonzero


def choose(X: Array, selector: str, n_components: int | None, n_nonzero: int | None, budget: Budget) -> Choice:
    """Choose components and nonzeros.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples, scaled as they are to be fitted.
    selector : str
        ``"module:Class"`` of an estimator with the parameters and attributes of `SparsePCASelector`.
    n_components : int, optional
        As the user wants; counted if not given.
    n_nonzero : int, optional
        Of each component, as the user wants; chosen if not given.
    budget : Budget
        A share of it is spent.

    Notes
    -----
    A first fit counts the components and chooses by the rule that needs no resampling.  If there is time, a second one
    adds folds and half-samples, as many as there is time for.
    """
    end = time.monotonic() + SHARE * max(budget.left - LEAD * budget.start, 0.0)
    if len(X) > MOST_ROWS:
        X = X[np.sort(np.random.default_rng(0).choice(len(X), MOST_ROWS, replace=False))]
    make = resolve(selector)
    grid = cardinalities(X.shape[1]) if n_nonzero is None else [n_nonzero]
    seconds = _seconds_of_a_path(make, X, grid)
    wide = X.shape[1] > len(X)  # where counting is by fits, each candidate at the cost of some paths
    most = (
        min(MOST_COMPONENTS, int((end - time.monotonic()) / (PATHS_OF_A_COUNT * seconds))) if wide else MOST_COMPONENTS
    )
    counter = make(n_components=n_components or "auto", n_nonzero=grid, criterion="ebic", random_state=0)
    first = _fit(counter.set_params(max_components=max(most, 1)), X)
    if n_nonzero is not None:
        return replace(_choice(first, first, "You chose how sparse."), rules={})
    paths = int((end - time.monotonic()) / (first.n_components_ * seconds))
    if len(X) < FEW:
        return _choice(first, first, f"{len(X)} samples are too few to hold any out: one criterion alone chose.")
    if paths < LEAST_PATHS:
        return _choice(first, first, "The budget has no time for half-samples: one criterion alone chose.")
    folds, halves = min(FOLDS, paths // 3), min(HALVES, 2 * paths // 3)
    second = make(n_components=first.n_components_, n_nonzero=grid, cv=folds, n_resamples=halves, random_state=0)
    return _choice(_fit(second, X), first, f"Chosen with {folds} folds and {halves} half-samples.")


def cardinalities(n_features: int) -> list[int]:
    """Return the cardinalities to choose from; all are sparse."""
    return [k for k in CARDINALITIES if k < n_features] or [1]


def kept(file: Path, key: str, make: Callable[[], Choice]) -> Choice:
    """Return the choice that a file keeps for a key, or make it and keep it."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data.pop("key") == key:
            return Choice(**data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # it is made anew
    choice = make()
    write_bytes(file, json.dumps({"key": key, **asdict(choice)}, indent=1).encode())
    return choice


def _seconds_of_a_path(make: Any, X: Array, grid: Sequence[int]) -> float:
    """Return how long the fits of one component at all cardinalities take, after the first, which compiles."""
    few = make(n_components=1, n_nonzero=grid[:1], criterion="ebic")
    _fit(few, X)
    started = time.monotonic()
    _fit(few.set_params(n_nonzero=grid), X)
    return max(time.monotonic() - started, 1e-4)


def _fit(estimator: Any, X: Array) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they warn of is said in the notes
        return estimator.fit(X)


def _choice(chosen: Any, counted: Any, note: str) -> Choice:
    """Gather what one selector chose of the components that another counted."""
    grid = [int(k) for k in chosen.grid_]
    nonzeros = [int(k) for k in chosen.n_nonzero_]
    counts = {rule: int(count) for rule, count in getattr(counted, "counts_", {}).items()}
    notes = [note]
    if counts and max(counts.values()) == counted.max_components:
        notes.append(f"The count stopped at {counted.max_components}: more components may be there.")
    if counts and max(counts.values()) == 0:
        notes.append("No component exceeds chance; one is shown.")
    if grid[-1] in nonzeros and len(grid) > 1:
        notes.append(f"The largest cardinality that was tried, {grid[-1]}, was chosen: more may be better.")
    eigenvalues, chance = getattr(counted, "scree_", np.empty((2, 0)))[:, :MOST_EIGENVALUES].tolist()
    return Choice(
        n_nonzero=nonzeros,
        rules={rule: [int(k) for k in answer] for rule, answer in chosen.answers_.items()},
        counts=counts,
        grid=grid,
        curves={rule: np.where(np.isfinite(v), v, -1.0).tolist() for rule, v in chosen.curves_.items()},
        eigenvalues=eigenvalues,
        chance=chance,
        unpredicted=np.asarray(getattr(counted, "bi_cv_errors_", [])).tolist(),
        notes=notes,
    )
