"""The four truncations of a unit vector that the schemes of rotation, deflation and blocks share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import MomentComponents
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.compiled_truncation import energy, hard, soft, top_k


class Truncation(NamedTuple):
    """A way to truncate a unit vector, and the parameter that says how much.

    Parameters
    ----------
    rule : callable
        ``rule(z, level)`` of a unit vector z.
    parameter : str
        The estimator's parameter that holds the level.
    default : callable
        ``default(n_features)`` gives the level where none is given.
    """

    rule: Callable[[Array, Any], Array]
    parameter: str
    default: Callable[[int], float]

    def relative(self, z: Array, level: float) -> Array:
        """Truncate a vector of any length in proportion to its length."""
        length = np.linalg.norm(z)
        return length * self.rule(z / length, level) if length > 0.0 else z


def default_threshold(n_features: int) -> float:
    """Return 1/sqrt(n_features), or zero for a single feature, of which nothing would be left."""
    return n_features**-0.5 if n_features > 1 else 0.0


TRUNCATIONS: Mapping[str, Truncation] = {
    "l1": Truncation(soft, "threshold", default_threshold),
    "l0": Truncation(hard, "threshold", default_threshold),
    "sp": Truncation(top_k, "n_nonzero", lambda d: math.ceil(math.sqrt(d))),
    "en": Truncation(energy, "energy", lambda d: 0.1),
}


class TruncatedComponents(MomentComponents):
    """Base of the methods that combine a scheme with any of the four truncations."""

    truncation: str
    n_nonzero: int | Sequence[int] | None
    threshold: float | Sequence[float] | None
    energy: float | Sequence[float] | None

    def _truncation(self, n_features: int) -> tuple[Truncation, list[float]]:
        """Return the truncation and its level for each component."""
        truncation = TRUNCATIONS[self.truncation]
        levels = self._values(truncation.parameter)
        return truncation, levels or [truncation.default(n_features)] * self.n_components

    def _values(self, name: str) -> list[float]:
        """Return what the parameter `name` says for each component, if anything; nothing else may set the sparsity."""
        for other in ("n_nonzero", "threshold", "energy"):
            if other != name and getattr(self, other) is not None:
                words = [word for word, rule in TRUNCATIONS.items() if rule.parameter == other]
                hint = "" if self.truncation in words else f"; {other} needs truncation={' or '.join(map(repr, words))}"
                raise ValueError(f"{other} is given; valid with truncation={self.truncation!r} is only {name}{hint}")
        given = getattr(self, name)
        return [] if given is None else per_component(given, self.n_components, name)
