"""The parameters that many methods share, each with its default and what it leads to; a method takes them as bases.

Their valid values are in `spcabench_methods.core.constraints`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from spcabench_methods.core.base import Component, MomentComponents, SparseComponents
from spcabench_methods.core.checks import cardinalities
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.randomness import RandomSource, random_source
from spcabench_methods.core.starts import Rule, Starts


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
