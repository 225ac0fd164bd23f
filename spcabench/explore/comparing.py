"""Other methods on the same components and nonzeros, by what they keep of held-out halves: what a budget buys."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from spcabench.analysis.best import may_be_best
from spcabench.explore.deciding import HALVES
from spcabench.plugins import Registry
from spcabench.specs import Array
from spcabench.suite.making import make

MARGIN = 0.001
"""The smallest difference of a share of variance that matters."""


@dataclass(frozen=True)
class Candidate:
    """A method that may be compared, and the largest tables that it is for."""

    name: str
    most_features: float = math.inf
    most_values: float = math.inf


@dataclass(frozen=True)
class Portfolio:
    """What a table is tried with.

    Parameters
    ----------
    selector : str
        ``"module:Class"`` of an estimator that chooses components and nonzeros, and fits them.
    incomplete : str
        The same of one that fits another to the second moments of samples that lack values.
    methods : tuple of Candidate
        What a budget compares, the most useful first.
    """

    selector: str
    incomplete: str
    methods: tuple[Candidate, ...]


def portfolio() -> Portfolio:
    """Read the portfolio."""
    import yaml

    data = yaml.safe_load(resources.files(__package__).joinpath("portfolio.yaml").read_text(encoding="utf-8"))
    methods = tuple(Candidate(**one) for one in data.pop("methods"))
    return Portfolio(methods=methods, **data)


@dataclass(frozen=True)
class Reached:
    """What a method keeps of held-out halves: the mean and the standard deviation, and whether it may be the best."""

    method: str
    held_out: float
    sd: float
    tied: bool


def compared(
    X: Array, estimator: Any, methods: Sequence[Candidate], registry: Registry, seconds: float
) -> tuple[tuple[Reached, ...], tuple[str, ...]]:
    """Fit methods to halves of the rows until the seconds are over.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred and scaled samples.
    estimator : object
        What the answer was fitted by; it comes first.
    methods : sequence of Candidate
        The others.
    registry : Registry
        Where they are found.
    seconds : float
        A method that is not through by then is left out.

    Returns
    -------
    reached : tuple of Reached
        The largest held-out variance first.
    missed : tuple of str
        Methods that were left out.
    """
    from sklearn.base import clone

    until = time.monotonic() + seconds
    settings = {"n_components": estimator.n_components, "n_nonzero": estimator.n_nonzero}
    own = type(estimator).__name__
    found: dict[str, list[float]] = {}
    missed: list[str] = []
    suit = [one.name for one in methods if X.shape[1] <= one.most_features and X.size <= one.most_values]
    for name in (own, *(name for name in suit if name in registry.methods)):
        values = []
        for inside, outside in _halves(X):
            if name != own and time.monotonic() > until:
                break
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a fit that is worse for it has a smaller share
                fitted = (clone(estimator) if name == own else make(name, **settings)).fit(inside)
            values.append(_kept(fitted.components_, outside - inside.mean(axis=0)))
        if len(values) == HALVES:
            found[name] = values
        else:
            missed.append(name)
    table = np.array(list(found.values())).T
    tied = may_be_best(table, MARGIN)
    reached = [
        Reached(name, float(np.mean(values)), float(np.std(values, ddof=1)), bool(is_tied))
        for (name, values), is_tied in zip(found.items(), tied, strict=True)
    ]
    return tuple(sorted(reached, key=lambda one: -one.held_out)), tuple(missed)


def _halves(X: Array) -> Iterator[tuple[Array, Array]]:
    random, half = np.random.default_rng(1), len(X) // 2
    for _ in range(HALVES // 2):
        order = random.permutation(len(X))
        a, b = X[order[:half]], X[order[half:]]
        yield from ((a, b), (b, a))


def _kept(components: Array, X: Array) -> float:
    Q = np.linalg.svd(components, full_matrices=False)[2] if components.any() else components.T[:, :0].T
    return float(np.sum((X @ Q.T) ** 2) / np.sum(X**2))
