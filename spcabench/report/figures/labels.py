"""Labels at the right of a panel, far enough from each other to be read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def spread(wanted: Mapping[str, float], gap: float, low: float, high: float) -> dict[str, float]:
    """Move positions as little as possible until they are a gap apart and within the bounds.

    The least-squares answer: neighbours that would collide are pooled about their mean.

    Examples
    --------
    >>> spread({"a": 0.0, "b": 0.5, "c": 9.0}, gap=1.0, low=-5.0, high=10.0)
    {'a': -0.25, 'b': 0.75, 'c': 9.0}
    """
    names = sorted(wanted, key=lambda name: wanted[name])
    pools: list[list[float]] = []
    for rank, name in enumerate(names):
        pools.append([wanted[name] - rank * gap])
        while len(pools) > 1 and np.mean(pools[-2]) >= np.mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    bases = [float(np.mean(pool)) for pool in pools for _ in pool]
    last = high - (len(names) - 1) * gap
    clipped = [max(low, min(base, last)) for base in bases]
    return {name: base + rank * gap for rank, (name, base) in enumerate(zip(names, clipped, strict=True))}
