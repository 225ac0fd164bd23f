"""What a choice costs: trials on few rows, and the rows and cardinalities that there is time for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench.specs import Array

FIRST_ROWS = 250
"""Rows of a trial at least."""
CORNER = 500
"""Columns of the first trial at most."""
MOST_ROWS = 20_000
"""Rows that a choice is made from at most."""
PART, PART_OF_FITS = 0.25, 0.05
"""Of the seconds that are left for choosing, what one trial may take; less where components are counted by fits."""
SPECTRUM = 2.5
"""Eigenvalues of a matrix of order m cost so many times m^3 multiplications."""
LEAST_SECONDS = 1e-4
LEAST_CARDINALITIES = 6
LEAST_PERMUTATIONS = 4
"""With so many a component that is not there is found with probability 1/5."""
MOST_PERMUTATIONS = 19
MOST_COMPONENTS = 10
"""Components that are counted at most."""
LEAST_SEARCHES = 3
"""Where components are looked for one after the other, permutations are fewer until there is time for so many; where
eigenvalues count them, so many may be found however little time there is."""


@dataclass(frozen=True)
class Pace:
    """What steps of a choice take.

    Parameters
    ----------
    fit : float
        Seconds of a fit of one component.
    permutation : float
        Seconds of what is done with one set of permuted columns; 0 if nothing is counted.
    """

    fit: float
    permutation: float

    @property
    def trial(self) -> float:
        """Seconds of a trial, where a fit is made at one cardinality."""
        return self.fit + 2 * self.permutation


def trial(selector_class: Any, X: Array, grid: Sequence[int], counted: bool, clock: Callable[[], float]) -> Pace:
    """Return what a selector takes on some rows; `counted` if it is to count components."""
    few = sorted({grid[0], grid[len(grid) // 2], grid[-1]})

    def seconds(**how: Any) -> float:
        began = clock()
        quietly(selector_class(criterion="ebic", random_state=0, **how), X)
        return max(clock() - began, LEAST_SECONDS)

    fit = seconds(n_components=1, n_nonzero=few) / len(few)
    if not counted:
        return Pace(fit, 0.0)
    return Pace(fit, seconds(n_components="auto", n_nonzero=few[:1], n_permutations=1, max_components=1) / 2)


def affordable(X: Array, attempt: Callable[[Array], Pace], seconds_left: Callable[[], float]) -> tuple[Array, Pace]:
    """Return as many rows as there is time for, drawn at random, and the pace with them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        All rows.
    attempt : callable
        Returns the pace with some rows.
    seconds_left : callable
        Returns the seconds that are left for choosing.

    Notes
    -----
    A trial on a corner of the table forecasts the others, by the work of a spectrum.  Of all rows, half of them, a
    quarter and so on, the trials begin with the fewest; more are taken as long as a trial is forecast to take a small
    part of the seconds that are left.  A table with as many rows as columns keeps as many if a count of its eigenvalues
    is forecast to end in time; with fewer rows components are counted by fits, which costs more.
    """
    n, d = X.shape
    order = np.random.default_rng(0).permutation(n)
    most = min(n, MOST_ROWS)
    sizes = [rows for rows in _halved(most) if rows >= min(most, FIRST_ROWS)]
    tall = [rows for rows in sizes if rows >= d]
    corner = X[np.sort(order[: 2 * CORNER if tall else FIRST_ROWS])][:, :: -(-d // CORNER)]
    attempt(corner)  # which compiles
    pace = attempt(corner)
    if tall and pace.trial * _work(tall[-1], d) / _work(*corner.shape) * (2 + LEAST_PERMUTATIONS / 2) < seconds_left():
        sizes, part = tall, PART
    else:
        sizes, part = [rows for rows in sizes if rows < d] or sizes[-1:], PART_OF_FITS
    rows = sizes[-1]
    while True:
        some = X if rows == n else X[np.sort(order[:rows])]
        pace = attempt(some)
        work = part * seconds_left() / pace.trial * _work(rows, d)
        more = next((size for size in sizes if size > rows and _work(size, d) <= work), None)
        if more is None:
            return some, pace
        rows = more


def _halved(count: int) -> Iterator[int]:
    while count > 1:
        yield count
        count //= 2


def _work(n_samples: int, n_features: int) -> float:
    """Return the multiplications of a spectrum: the smaller Gram matrix, and its eigenvalues."""
    small, large = sorted((float(n_samples), float(n_features)))
    return small**2 * (large + SPECTRUM * small)


def counting(shape: tuple[int, ...], pace: Pace, seconds: float) -> dict[str, Any]:
    """Return the parameters with which a selector counts components in half of some seconds.

    With more features than samples each component is looked for by fits to the permuted columns.  In the other half
    each component that is found is to be fitted at a few cardinalities.
    """
    n, d = shape
    sets = 0.5 * seconds / pace.permutation
    searches = LEAST_SEARCHES if d > n else 1
    permutations = min(MOST_PERMUTATIONS, max(LEAST_PERMUTATIONS, int(sets / searches) - 1))
    counted = sets / (permutations + 1) if d > n else np.inf
    fitted = 0.5 * seconds / (LEAST_CARDINALITIES * pace.fit)
    most = max(1 if d > n else LEAST_SEARCHES, int(min(MOST_COMPONENTS, counted, fitted)))
    return {"n_components": "auto", "n_permutations": permutations, "max_components": most}


def thinned(grid: Sequence[int], count: int) -> list[int]:
    """Return about so many of the cardinalities, evenly chosen, but not fewer than six.

    Examples
    --------
    >>> thinned(range(1, 14), 4)
    [1, 3, 6, 8, 11, 13]
    """
    places = np.linspace(0, len(grid) - 1, min(max(count, LEAST_CARDINALITIES), len(grid)))
    return [grid[place] for place in np.rint(places).astype(int).tolist()]


def quietly(estimator: Any, X: Array) -> Any:
    """Fit an estimator; what it warns of is said elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X)
