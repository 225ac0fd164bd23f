"""Truncated energy: the smallest entries go that have at most a share of the squared length together."""

from __future__ import annotations

from spcabench_methods.core.arrays import TIE
from spcabench_methods.truncations.contract import Level, Selection


def share(size: float) -> float:
    """Return the energy of an entry."""
    return size * size


def limit(energy: float, n_entries: int, squared_length: float) -> float:
    """Return the energy that goes; up to rounding, so that equal entries lose their share."""
    return (1.0 + TIE) * energy * squared_length


def level_of(limit: float, n_entries: int, squared_length: float) -> float:
    """Return the share of squared length."""
    return limit / ((1.0 + TIE) * squared_length)


energy = Selection(
    name="energy",
    symbol="en",
    words="truncated energy",
    source="Hu, Pan, Wang and Wu, IEEE TNNLS 27, 2016, 875-890",
    level=Level("energy", lambda n_features: 0.1),
    share=share,
    limit=limit,
    level_of=level_of,
)
