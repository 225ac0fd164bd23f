"""The parameters that many methods share, each with its default and what it leads to; a method takes them as bases.

Their valid values are in `spcabench_methods.core.constraints`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from spcabench_methods.core.base import Component, MomentComponents, SparseComponents
from spcabench_methods.core.checks import RandomSource, cardinalities, per_component, random_source
from spcabench_methods.core.constraints import SHARED, number, words
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.moments import GRAM_LIMIT, Gram, SecondMoments
from spcabench_methods.core.starts import Rule, Starts
from spcabench_methods.truncations import Truncation, truncations


@dataclass(eq=False, repr=False)
class Counted(SparseComponents):
    """Base of the methods that take a number of nonzeros, for all components or for each."""

    n_nonzero: int | Sequence[int] | None = None

    def _counts(self, n_features: int) -> list[int]:
        """Return the nonzeros of each component."""
        return cardinalities(self.n_nonzero, self.n_components, n_features)


@dataclass(eq=False, repr=False, kw_only=True)
class Deflated(MomentComponents):
    """Base of the methods that find one component after another, each in what the deflation leaves."""

    deflation: str = "projection"

    def _one_by_one(
        self, moments: SecondMoments, find: Callable[[SecondMoments, int], Component]
    ) -> Iterator[Component]:
        """Yield the components that ``find(rest, j)`` returns."""
        return by_deflation(moments, find, self.n_components, self.deflation)


class Whole(MomentComponents):
    """Base of the methods that need all of S, whatever its size."""

    _gram_ratio = math.inf

    def _matrix(self, moments: SecondMoments) -> Gram:
        """Return second moments that are a matrix; raise a ValueError for samples of too many features."""
        if not isinstance(moments, Gram):
            raise ValueError(
                f"{type(self).__name__}: X has {moments.n_features} features; valid is at most {GRAM_LIMIT}, "
                "as a matrix of features by features is formed"
            )
        return moments


@dataclass(eq=False, repr=False, kw_only=True)
class Started(SparseComponents):
    """Base of the methods whose start may be chosen."""

    init: str | ArrayLike = "pca"
    n_init: int = 1
    random_state: int | RandomSource | None = None

    def _starts(self, n_features: int, others: Mapping[str, Rule] | None = None) -> Starts:
        """Return the starts, with the words in `others` beside the common ones."""
        random = random_source(self.random_state)
        return Starts(self.init, self.n_init, random, self.n_components, n_features, others)


@dataclass(eq=False, repr=False, kw_only=True)
class TruncatedComponents(MomentComponents, Started, Counted):
    """Base of the methods that combine a scheme with any truncation."""

    truncation: str = "l0"
    threshold: float | Sequence[float] | None = None
    energy: float | Sequence[float] | None = None
    refit: bool = False

    _parameter_constraints = SHARED | {
        "truncation": [words(*truncations())],
        "energy": [None, number(0, 1)],
        "threshold": [None, number(0, 1, closed="both")],
    }

    def _truncation(self, n_features: int) -> tuple[Truncation, list[float]]:
        """Return the truncation and its level for each component."""
        truncation = truncations()[self.truncation]
        levels = self._values(truncation.level.name)
        return truncation, levels or [truncation.level.default(n_features)] * self.n_components

    def _values(self, name: str) -> list[float]:
        """Return what the parameter `name` says for each component, if anything; nothing else may set the sparsity."""
        for other in ("n_nonzero", "threshold", "energy"):
            if other != name and getattr(self, other) is not None:
                words = [word for word, rule in truncations().items() if rule.level.name == other]
                hint = "" if self.truncation in words else f"; {other} needs truncation={' or '.join(map(repr, words))}"
                raise ValueError(f"{other} is given; valid with truncation={self.truncation!r} is only {name}{hint}")
        given = getattr(self, name)
        return [] if given is None else per_component(given, self.n_components, name)
