"""How many components and how many nonzeros: what a selector chooses within the seconds that there are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spcabench.explore.budget import Budget
from spcabench.explore.pace import affordable, counting, quietly, thinned, trial
from spcabench.importing import resolve
from spcabench.specs import Array
from spcabench.store.files import write_bytes

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
"""What is chosen from, as far as there are features and time."""
MOST_EIGENVALUES = 15


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
    n_permutations : int
        Of the columns, whose largest eigenvalues are `chance`.
    unpredicted : list of float
        The share of held-out blocks that 0, 1, ... components leave.
    seconds : float
        That a fit of all components took, as far as is known.
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
    n_permutations: int
    unpredicted: list[float]
    seconds: float
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
    Trials on few rows tell what a fit and a permutation of the columns cost; of a table that is too large for the time,
    a random part of the rows is used.  Then come the count of the components, the rule that needs no resampling, and,
    if there is time, folds and half-samples.  When time is short, permutations, cardinalities, folds and half-samples
    are fewer.
    """
    end = budget.clock() + SHARE * max(budget.left - LEAD * budget.start, 0.0)
    make, auto = resolve(selector), n_components is None
    offered = cardinalities(X.shape[1]) if n_nonzero is None else [n_nonzero]

    def left() -> float:
        return max(end - budget.clock(), 0.0)

    some, pace = affordable(X, lambda rows: trial(make, rows, offered, auto, budget.clock), left)
    counted: Any = None
    if auto:
        how = counting(some.shape, pace, left())
        counted = quietly(make(n_nonzero=offered[:1], criterion="ebic", random_state=0, **how), some)
    r = n_components or counted.n_components_
    grid = thinned(offered, int(left() / (2 * r * pace.fit)))
    began = budget.clock()
    chosen = quietly(make(n_components=r, n_nonzero=grid, criterion="ebic", random_state=0), some)
    took = max(budget.clock() - began, 1e-4)
    paths = int(left() / took)
    folds, halves = min(FOLDS, paths // 3), min(HALVES, 2 * paths // 3)
    alone = _alone(n_nonzero, len(X), paths)
    if not alone:
        chosen = quietly(make(n_components=r, n_nonzero=grid, cv=folds, n_resamples=halves, random_state=0), some)
    notes = [alone or f"Chosen with {folds} folds and {halves} half-samples."]
    if len(some) < len(X):
        notes.append(f"Components and variables were counted on {len(some)} of {len(X)} rows, drawn at random.")
    if len(grid) < len(offered):
        notes.append(f"The budget had time to compare {len(grid)} of {len(offered)} cardinalities.")
    return _choice(chosen, counted, took / len(grid), notes)


def _alone(n_nonzero: int | None, n_samples: int, paths: int) -> str:
    """Return why the criterion that needs no resampling chooses alone; empty if there is a vote."""
    if n_nonzero is not None:
        return "You chose how sparse."
    if n_samples < FEW:
        return f"{n_samples} samples are too few to hold any out: one criterion alone chose."
    return "The budget has no time for half-samples: one criterion alone chose." if paths < LEAST_PATHS else ""


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


def _choice(chosen: Any, counted: Any, seconds: float, said: Sequence[str]) -> Choice:
    """Gather what one selector chose of the components that another counted; None if the user said how many."""
    grid = [int(k) for k in chosen.grid_]
    nonzeros = [int(k) for k in chosen.n_nonzero_]
    counts = {} if counted is None else {rule: int(count) for rule, count in counted.counts_.items()}
    notes = [*said]
    if counts and max(counts.values()) == counted.max_components:
        notes.append(f"The count stopped at {counted.max_components}: more components may be there.")
    if counts and max(counts.values()) == 0:
        notes.append("No component exceeds chance; one is shown.")
    if grid[-1] in nonzeros and len(grid) > 1:
        notes.append(f"The largest cardinality that was tried, {grid[-1]}, was chosen: more may be better.")
    scree = np.empty((2, 0)) if counted is None else counted.scree_[:, :MOST_EIGENVALUES]
    eigenvalues, chance = scree.tolist()
    return Choice(
        n_nonzero=nonzeros,
        rules={rule: [int(k) for k in answer] for rule, answer in chosen.answers_.items()} if len(grid) > 1 else {},
        counts=counts,
        grid=grid,
        curves={rule: np.where(np.isfinite(v), v, -1.0).tolist() for rule, v in chosen.curves_.items()},
        eigenvalues=eigenvalues,
        chance=chance,
        n_permutations=counted.n_permutations if counted else 0,
        unpredicted=[] if counted is None else counted.bi_cv_errors_.tolist(),
        seconds=seconds,
        notes=notes,
    )
