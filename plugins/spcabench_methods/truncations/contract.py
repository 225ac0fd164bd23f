"""What a truncation is: a rule that makes a dense vector sparse, with its level, its penalty and its words.

Nothing heavy is imported here, as the pages of the families declare methods from it; what is compiled is so when it is
first used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spcabench_methods.core.arrays import Array

Rule = Callable[[Array, float], Array]


@dataclass(frozen=True)
class Level:
    """The parameter of an estimator that says how much a truncation takes.

    Parameters
    ----------
    name : str
        A parameter of the constructors of `SPCArt`, `RSVDGP` and `RSVDGPB`.
    default : callable
        ``default(n_features)`` is the level where none is given.
    """

    name: str
    default: Callable[[int], float]


def default_threshold(n_features: int) -> float:
    """Return 1/sqrt(n_features), or zero for a single feature, of which nothing would be left."""
    return n_features**-0.5 if n_features > 1 else 0.0


THRESHOLD = Level("threshold", default_threshold)
"""The level of all truncations that compare entries with a threshold."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Truncation(ABC):
    """A truncation; its result w minimises ``weight ||v - w||^2 + cost(w, level)``, under its constraint if it has one.

    Parameters
    ----------
    name : str
        That of its file.
    symbol : str
        The word for it in the parameters ``truncation`` and ``penalty``, and in the names of methods.
    words : str
        What it does, in a few words for titles.
    source : str
        Authors, where, year.
    level : Level
        The parameter that says how much.
    weight : float
        Of the squared distance.
    methods : sequence of str or None
        The methods that a benchmark knows with it, as ``spcart`` for ``spcart_l1``; None: all that take it.  The
        estimators themselves take it in any case.
    """

    name: str
    symbol: str
    words: str
    source: str
    level: Level
    weight: float
    methods: Sequence[str] | None = None

    @abstractmethod
    def __call__(self, v: Array, level: float) -> Array:
        """Truncate a vector."""

    @property
    @abstractmethod
    def selects(self) -> bool:
        """Whether what stays is as it was, so that a level says no more than what stays."""

    def cost(self, w: Array, level: float) -> float:
        """Return the penalty on a truncated vector; 0 of a rule that constrains its result instead."""
        return 0.0

    def relative(self, z: Array, level: float) -> Array:
        """Truncate a vector of any length in proportion to its length."""
        length = np.linalg.norm(z)
        return np.asarray(length * self(z / length, level)) if length > 0.0 else z

    @abstractmethod
    def leaving(self, v: Array, k: int, edge: float) -> float:
        """Return a level that leaves k entries of a unit vector.

        Parameters
        ----------
        v : ndarray of shape (n_features,)
        k : int
            Fewer than n_features.
        edge : float
            Above 0 and below 1: near 0 are the smallest such levels, near 1 the largest.
        """

    def objective(self, z: Array, w: Array, level: float) -> float:
        """Return what w minimises, as the truncation of z."""
        rest = z - w
        return self.weight * float(rest @ rest) + self.cost(w, level)


@dataclass(frozen=True, eq=False, kw_only=True)
class Threshold(Truncation):
    """A truncation of each entry by itself: to zero up to a threshold, and shrunk above it.

    Parameters
    ----------
    shrunk : callable
        ``shrunk(size, threshold)`` of magnitudes larger than the threshold; numba compiles it, for one magnitude.
    price : callable
        ``price(size, threshold)`` is what a nonzero of this magnitude adds to the cost; numba compiles it too.
    p : float or None
        Of the penalty ``|w|^p`` whose minimiser it is, if there is one.
    of_penalty : callable
        ``of_penalty(rho)`` is the threshold of a penalty rho, both relative to those that leave nothing.
    to_penalty : callable
        The inverse of `of_penalty`.
    """

    shrunk: Callable[[Any, float], Any]
    price: Callable[[Any, float], Any]
    level: Level = THRESHOLD
    weight: float = 0.5
    p: float | None = None
    of_penalty: Callable[[float], float] = float
    to_penalty: Callable[[float], float] = float

    def __call__(self, v: Array, level: float) -> Array:
        """Truncate an array of any shape."""
        if level <= 0.0:
            return v.copy()
        size = np.abs(v)
        kept = size > level
        w = np.zeros_like(size)
        w[kept] = np.copysign(self.shrunk(size[kept], level), v[kept])
        return w

    @property
    def selects(self) -> bool:
        """Whether what stays is as it was."""
        return self.p == 0.0

    def cost(self, w: Array, level: float) -> float:
        """Return the penalty on a truncated vector."""
        size = np.abs(w[w != 0.0])
        return float(np.sum(np.full(len(size), self.price(size, level))))

    def leaving(self, v: Array, k: int, edge: float) -> float:
        """Return a level that leaves k entries of a unit vector."""
        parts = np.partition(np.abs(v), (-k - 1, -k))
        return float(parts[-k - 1] + edge * (parts[-k] - parts[-k - 1]))

    def gain(self, v: Array, w: Array, level: float) -> float:
        """Return by how much w, the truncation of v, is better than zero: ``||v||^2 - ||v - w||^2 - cost/weight``."""
        return 2.0 * float(v @ w) - float(w @ w) - self.cost(w, level) / self.weight


@dataclass(frozen=True, eq=False, kw_only=True)
class Selection(Truncation):
    """A truncation that sets the smallest entries to zero, up to a limit, and leaves the others as they are.

    Parameters
    ----------
    share : callable
        ``share(size)`` is what an entry of this magnitude takes of the limit; numba compiles it.
    limit : callable
        ``limit(level, n_entries, squared_length)`` is what the entries that go take at most; numba compiles it.
    level_of : callable
        ``level_of(limit, n_entries, squared_length)`` is the level with that limit; numba compiles it.
    """

    share: Callable[[float], float]
    limit: Callable[[float, int, float], float]
    level_of: Callable[[float, int, float], float]
    weight: float = 1.0

    @property
    def selects(self) -> bool:
        """Whether what stays is as it was: it is."""
        return True

    def __call__(self, v: Array, level: float) -> Array:
        """Truncate a vector."""
        return self._compiled(np.ascontiguousarray(v), level)

    @cached_property
    def _compiled(self) -> Rule:
        from spcabench_methods.core.kernels import selected

        return selected(self.share, self.limit)

    def leaving(self, v: Array, k: int, edge: float) -> float:
        """Return a level that leaves k entries of a unit vector."""
        *gone, least = (self.share(float(size)) for size in np.sort(np.abs(v))[: len(v) - k + 1])
        return self.level_of(sum(gone) + edge * least, len(v), 1.0)
