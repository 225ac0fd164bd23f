"""The base of the schemes of rotation, deflation and blocks that take any truncation of a unit vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spcabench_methods.core.base import MomentComponents
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.parameters import Counted, Started
from spcabench_methods.truncations import Truncation, truncations


@dataclass(eq=False, repr=False, kw_only=True)
class TruncatedComponents(MomentComponents, Started, Counted):
    """Base of the methods that combine a scheme with any truncation."""

    truncation: str = "l0"
    threshold: float | Sequence[float] | None = None
    energy: float | Sequence[float] | None = None
    refit: bool = False

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
