"""How many components and how many nonzeros: what a selector chooses, the same whatever the machine and its load."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spcabench.importing import resolve
from spcabench.specs import Array

MOST_VALUES, LEAST_ROWS = 500_000, 200
"""Rows are drawn at random from a table with more numbers, but not fewer rows than the second."""
MOST_COMPONENTS = 10
"""Components that are counted at most."""
MOST_EIGENVALUES = 15
MOST_TOGETHER, LEAST_TOGETHER = 100, 20
"""Of so many variables, and from so many rows on, the nonzeros of all components are chosen together."""
FOLDS = 5
"""Folds of that choice."""


class Effort(NamedTuple):
    """What is computed: permutations of the columns, folds, half-samples, and the cardinalities to choose from."""

    permutations: int
    folds: int
    halves: int
    cardinalities: tuple[int, ...]


SMALL = 100_000
"""Numbers of a table up to which all is computed."""
EFFORTS = (
    Effort(19, 10, 20, (*range(1, 14), 15, 17, 20, 25, 30, 40, 60, 90, 130, 200)),
    Effort(9, 5, 10, (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 25, 40, 90, 200)),
)
"""For small tables and for others."""


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
    notes : list of str
        What a reader must know of the choice.
    """

    n_nonzero: list[int]
    rules: Mapping[str, list[int]]
    counts: Mapping[str, int]
    eigenvalues: list[float]
    chance: list[float]
    n_permutations: int
    notes: list[str]

    @property
    def n_components(self) -> int:
        """How many components."""
        return len(self.n_nonzero)

    @property
    def level(self) -> int | list[int]:
        """The nonzeros as a suite has them: one number where they are equal."""
        return self.n_nonzero[0] if len(set(self.n_nonzero)) == 1 else self.n_nonzero


def choose(X: Array, selector: str, n_components: int | None, n_nonzero: int | None) -> Choice:
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

    Notes
    -----
    What is computed follows from the shape of the table alone, so that the answer does not depend on the clock.
    """
    n, d = X.shape
    rows = min(n, max(LEAST_ROWS, MOST_VALUES // d))
    some = X if rows == n else X[np.sort(np.random.default_rng(0).permutation(n)[:rows])]
    effort = EFFORTS[some.size > SMALL]
    together = d <= MOST_TOGETHER and n >= LEAST_TOGETHER
    grid = [n_nonzero] if n_nonzero else [k for k in effort.cardinalities if k < d] or [1]
    chosen = resolve(selector)(
        n_components=n_components or "auto",
        n_nonzero=grid,
        criterion="ebic" if n_nonzero else "together" if together else "vote",
        cv=FOLDS if together else effort.folds,
        n_resamples=effort.halves,
        n_permutations=effort.permutations,
        max_components=MOST_COMPONENTS,
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it warns of is said here
        chosen.fit(some)
    counts = {} if n_components else {rule: int(count) for rule, count in chosen.counts_.items()}
    eigenvalues, chance = ([], []) if n_components else chosen.scree_[:, :MOST_EIGENVALUES].tolist()
    nonzeros = [int(k) for k in chosen.n_nonzero_]
    rules = {} if n_nonzero else {rule: [int(k) for k in answer] for rule, answer in chosen.answers_.items()}
    notes = [*_how(n, len(some), rules, effort), *_cautions(counts, nonzeros, grid)]
    return Choice(nonzeros, rules, counts, eigenvalues, chance, effort.permutations if counts else 0, notes)


def _how(n_samples: int, n_used: int, rules: Mapping[str, list[int]], effort: Effort) -> Iterator[str]:
    if not rules:
        yield "You chose how sparse."
    elif "together" in rules:
        yield f"Chosen for all components together, with {FOLDS} folds."
    elif len(rules) == 1:
        yield f"{n_samples} samples are too few to hold any out: one criterion alone chose."
    else:
        yield f"Chosen with {effort.folds} folds and {effort.halves} half-samples."
    if n_used < n_samples:
        yield f"Components and variables were counted on {n_used} of {n_samples} rows, drawn at random."


def _cautions(counts: Mapping[str, int], nonzeros: Sequence[int], grid: Sequence[int]) -> Iterator[str]:
    most = max(counts.values(), default=1)
    if most == MOST_COMPONENTS:
        yield f"The count stopped at {most}: more components may be there."
    if most == 0:
        yield "No component exceeds chance; one is shown."
    if grid[-1] in nonzeros and len(grid) > 1:
        yield f"The largest cardinality that was tried, {grid[-1]}, was chosen: more may be better."
