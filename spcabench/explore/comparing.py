"""Other methods on the same components and nonzeros, by what they keep of held-out halves: what a budget buys."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import RepeatedKFold

from spcabench.analysis.best import may_be_best
from spcabench.explore.deciding import HALVES
from spcabench.metrics.variance import orthonormal_basis
from spcabench.specs import Array
from spcabench.suite.making import make

MARGIN = 0.001
"""The smallest difference of a share of variance that matters."""


@dataclass(frozen=True)
class Reached:
    """What a method keeps of held-out halves: the mean and the standard deviation, and whether it may be the best."""

    method: str
    held_out: float
    sd: float
    tied: bool


def compared(
    X: Array, estimator: Any, methods: Sequence[Mapping[str, Any]], seconds: float
) -> tuple[tuple[Reached, ...], tuple[str, ...]]:
    """Fit methods to halves of the rows until the seconds are over.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred and scaled samples.
    estimator : object
        What the answer was fitted by; it is compared however long it takes.
    methods : sequence of mapping
        The others: a name, and perhaps ``most_features`` and ``most_values`` of the tables that it is for.
    seconds : float
        A method that is not through by then is left out.

    Returns
    -------
    reached : tuple of Reached
        The largest held-out variance first.
    missed : tuple of str
        Methods that were left out.
    """
    until = time.monotonic() + seconds
    found = {type(estimator).__name__: _on_halves(estimator, X, math.inf)}
    for one in methods:
        if X.shape[1] <= one.get("most_features", math.inf) and X.size <= one.get("most_values", math.inf):
            method = make(one["name"], n_components=estimator.n_components, n_nonzero=estimator.n_nonzero)
            found[one["name"]] = _on_halves(method, X, until)
    through = {name: values for name, values in found.items() if values}
    tied = may_be_best(np.array(list(through.values())).T, MARGIN)
    reached = [
        Reached(name, float(np.mean(values)), float(np.std(values, ddof=1)), bool(is_tied))
        for (name, values), is_tied in zip(through.items(), tied, strict=True)
    ]
    return tuple(sorted(reached, key=lambda one: -one.held_out)), tuple(name for name in found if not found[name])


def _on_halves(method: Any, X: Array, until: float) -> list[float]:
    """Return the share that a method keeps of the variance of each held-out half; none if the time is over before."""
    shares = []
    for inside, outside in RepeatedKFold(n_splits=2, n_repeats=HALVES // 2, random_state=1).split(X):
        if time.monotonic() > until:
            return []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a fit that is worse for it has a smaller share
            components = clone(method).fit(X[inside]).components_
        held_out = X[outside] - X[inside].mean(axis=0)
        shares.append(float(np.sum((held_out @ orthonormal_basis(components.T)) ** 2) / np.sum(held_out**2)))
    return shares
