"""What is tried: the methods of ``portfolio.yaml``, and what chooses for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import resources

from spcabench.plugins import Registry


@dataclass(frozen=True)
class Entry:
    """A method that is tried.

    Parameters
    ----------
    name : str
        As registered.
    robust : bool
        Whether outlying rows hardly move it.
    most_features, most_values : float
        Tables up to this size are for it: features, and samples times features.
    """

    name: str
    robust: bool = False
    most_features: float = math.inf
    most_values: float = math.inf

    def suits(self, n_samples: int, n_features: int) -> bool:
        """Return whether it is made for a table of this size."""
        return n_features <= self.most_features and n_samples * n_features <= self.most_values


@dataclass(frozen=True)
class Portfolio:
    """What a table is tried with.

    Parameters
    ----------
    selector : str
        ``"module:Class"`` of an estimator that chooses components and nonzeros.
    incomplete : str
        The same of one that fits another to the second moments of samples that lack values.
    table, halves : str
        The data sets that read a matrix whole, and in halves.
    methods : tuple of Entry
        The most useful first.
    """

    selector: str
    incomplete: str
    table: str
    halves: str
    methods: tuple[Entry, ...]

    def suiting(self, n_samples: int, n_features: int, registry: Registry) -> tuple[Entry, ...]:
        """Return the methods for a table of this size, as far as they are registered."""
        return tuple(
            entry for entry in self.methods if entry.suits(n_samples, n_features) and entry.name in registry.methods
        )


def portfolio() -> Portfolio:
    """Read the portfolio."""
    import yaml

    data = yaml.safe_load(resources.files(__package__).joinpath("portfolio.yaml").read_text(encoding="utf-8"))
    return Portfolio(**{**data, "methods": tuple(Entry(**entry) for entry in data["methods"])})
