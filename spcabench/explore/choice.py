"""How many components and how many nonzeros: what a selector chooses within the seconds that there are."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spcabench.explore.values import FEW
from spcabench.explore.wishes import Budget
from spcabench.importing import resolve
from spcabench.specs import Array
from spcabench.store.files import write_bytes

SHARE = 0.4
"""Of the seconds that are left, for choosing."""
CARDINALITIES = (*range(1, 14), 15, 17, 20, 25, 30, 40, 60, 90, 130, 200)
"""What is chosen from, as far as there are features and time; fewer are not compared than so many."""
LEAST_CARDINALITIES = 6
FOLDS, HALVES, LEAST_PATHS = 10, 20, 12
"""With time for fewer fits of all cardinalities there is no vote."""
PERMUTATIONS, LEAST_PERMUTATIONS = 19, 4
"""With so few a component that is not there is found with probability 1/5."""
MOST_COMPONENTS, LEAST_COMPONENTS = 10, 3
"""Components that are counted at most, and, where eigenvalues count them, without any time."""
MOST_ROWS, CORNER = 20_000, 500
"""Rows that a choice is made from at most; rows and columns of the first trial."""
SPECTRUM = 2.5
"""Eigenvalues of a matrix of order m cost so many times m^3 multiplications."""
TRIALS, LEAST_TRIALS = 16, 8
"""Rows are halved unless there is time for so many trials with them; for so few where fewer rows than columns would be
left, which makes counting dearer."""
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
    eigenvalues, chance : list of float
        The leading eigenvalues, and the largest of permuted columns; empty if the user said the components.
    n_permutations : int
        Of the columns, whose largest eigenvalues are `chance`.
    seconds : float
        That a fit of all components took, as far as is known.
    notes : list of str
        What a reader must know of the choice.
    """

    n_nonzero: list[int]
    rules: Mapping[str, list[int]]
    counts: Mapping[str, int]
    eigenvalues: list[float]
    chance: list[float]
    n_permutations: int
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
    Of a table that is too large for the time a random part of the rows is used.  Then come the count of the components,
    the rule that needs no resampling, and, if there is time, folds and half-samples.  When time is short, permutations,
    cardinalities, folds and half-samples are fewer; a fit of one component tells beforehand what each costs.
    """
    end = budget.clock() + SHARE * budget.left
    make, auto = resolve(selector), n_components is None

    def left() -> float:
        return max(end - budget.clock(), 0.0)

    def fit(X: Array, **how: Any) -> tuple[Any, float]:
        """Fit a selector; return it with the seconds that it took."""
        began = budget.clock()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it warns of is said elsewhere
            fitted = make(random_state=0, **how).fit(X)
        return fitted, max(budget.clock() - began, 1e-4)

    def trial(rows: Array, counting: bool = auto) -> float:
        """Return the seconds of a fit of one component at a cardinality; in counting, of a set of permuted columns."""
        if counting:
            how = {"n_components": "auto", "n_permutations": 1, "max_components": 1}
            return fit(rows, criterion="ebic", n_nonzero=offered[:1], **how)[1] / 2
        few = sorted({offered[0], offered[len(offered) // 2], offered[-1]})
        return fit(rows, criterion="ebic", n_nonzero=few, n_components=1)[1] / len(few)

    offered = _cardinalities(X.shape[1]) if n_nonzero is None else [n_nonzero]
    some = _affordable(X, trial, left)
    one = trial(some, counting=False)
    counted: Any = None
    if auto:
        counted, _ = fit(some, criterion="ebic", n_nonzero=offered[:1], **_counting(some, trial(some), one, left()))
    r = n_components or counted.n_components_
    grid = thinned(offered, int(left() / (2 * r * one)))
    chosen, took = fit(some, criterion="ebic", n_components=r, n_nonzero=grid)
    paths = int(left() / took)
    folds, halves = min(FOLDS, paths // 3), min(HALVES, 2 * paths // 3)
    alone = _alone(n_nonzero, len(X), paths)
    if not alone:
        chosen, _ = fit(some, n_components=r, n_nonzero=grid, cv=folds, n_resamples=halves)
    notes = [alone or f"Chosen with {folds} folds and {halves} half-samples."]
    if len(some) < len(X):
        notes.append(f"Components and variables were counted on {len(some)} of {len(X)} rows, drawn at random.")
    if len(grid) < len(offered):
        notes.append(f"The budget had time to compare {len(grid)} of {len(offered)} cardinalities.")
    return _choice(chosen, counted, took / len(grid), notes)


def _affordable(X: Array, trial: Callable[[Array], float], left: Callable[[], float]) -> Array:
    """Return all rows, or so many drawn at random that there is time for trials with them, by one with a corner."""
    n, d = X.shape
    order = np.random.default_rng(0).permutation(n)
    corner = X[np.sort(order[:CORNER])][:, :: -(-d // CORNER)]
    trial(corner)  # which compiles
    pace = trial(corner) / _work(*corner.shape)
    rows = min(n, MOST_ROWS)
    while rows > CORNER and pace * _work(rows, d) * (LEAST_TRIALS if rows // 2 < d <= rows else TRIALS) > left():
        rows //= 2
    return X if rows == n else X[np.sort(order[:rows])]


def _work(n_samples: int, n_features: int) -> float:
    """Return the multiplications of a spectrum: the smaller Gram matrix, and its eigenvalues."""
    small, large = sorted((float(n_samples), float(n_features)))
    return small**2 * (large + SPECTRUM * small)


def _counting(X: Array, permuted: float, fitted: float, seconds: float) -> dict[str, Any]:
    """Return the parameters with which a selector counts components in half of some seconds.

    With more features than samples each component is looked for by fits to the permuted columns.  In the other half
    each component that is found is to be fitted at a few cardinalities.
    """
    wide = X.shape[1] > len(X)
    sets, fits = 0.5 * seconds / permuted, 0.5 * seconds / fitted
    permutations = int(np.clip(sets / (LEAST_COMPONENTS if wide else 1) - 1, LEAST_PERMUTATIONS, PERMUTATIONS))
    found = min(fits / LEAST_CARDINALITIES, sets / (permutations + 1) if wide else np.inf)
    most = int(np.clip(found, 1 if wide else LEAST_COMPONENTS, MOST_COMPONENTS))
    return {"n_components": "auto", "n_permutations": permutations, "max_components": most}


def _alone(n_nonzero: int | None, n_samples: int, paths: int) -> str:
    """Return why the criterion that needs no resampling chooses alone; empty if there is a vote."""
    if n_nonzero is not None:
        return "You chose how sparse."
    if n_samples < FEW:
        return f"{n_samples} samples are too few to hold any out: one criterion alone chose."
    return "The budget has no time for half-samples: one criterion alone chose." if paths < LEAST_PATHS else ""


def _cardinalities(n_features: int) -> list[int]:
    """Return the cardinalities to choose from; all are sparse."""
    return [k for k in CARDINALITIES if k < n_features] or [1]


def thinned(grid: Sequence[int], count: int) -> list[int]:
    """Return about so many of the cardinalities, evenly chosen, but not fewer than six.

    Examples
    --------
    >>> thinned(range(1, 14), 4)
    [1, 3, 6, 8, 11, 13]
    """
    places = np.linspace(0, len(grid) - 1, min(max(count, LEAST_CARDINALITIES), len(grid)))
    return [grid[place] for place in np.rint(places).astype(int).tolist()]


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


def _choice(chosen: Any, counted: Any, seconds: float, notes: Sequence[str]) -> Choice:
    """Gather what one selector chose of the components that another counted; None if the user said how many."""
    grid = [int(k) for k in chosen.grid_]
    nonzeros = [int(k) for k in chosen.n_nonzero_]
    counts = {} if counted is None else {rule: int(count) for rule, count in counted.counts_.items()}
    scree = np.empty((2, 0)) if counted is None else counted.scree_[:, :MOST_EIGENVALUES]
    eigenvalues, chance = scree.tolist()
    return Choice(
        n_nonzero=nonzeros,
        rules={rule: [int(k) for k in answer] for rule, answer in chosen.answers_.items()} if len(grid) > 1 else {},
        counts=counts,
        eigenvalues=eigenvalues,
        chance=chance,
        n_permutations=counted.n_permutations if counted else 0,
        seconds=seconds,
        notes=[*notes, *_cautions(counts, counted, nonzeros, grid)],
    )


def _cautions(counts: Mapping[str, int], counted: Any, nonzeros: Sequence[int], grid: Sequence[int]) -> Iterator[str]:
    if counts and max(counts.values()) == counted.max_components:
        yield f"The count stopped at {counted.max_components}: more components may be there."
    if counts and max(counts.values()) == 0:
        yield "No component exceeds chance; one is shown."
    if grid[-1] in nonzeros and len(grid) > 1:
        yield f"The largest cardinality that was tried, {grid[-1]}, was chosen: more may be better."
