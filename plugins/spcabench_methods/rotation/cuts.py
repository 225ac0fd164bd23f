"""The magnitudes below which the entries of a row go, where that depends on the whole row; compiled."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import without_smallest

TRIES = 32
"""So many magnitudes are tried where to cut a row before its entries are sorted."""

Share = Callable[[float], float]


@njit(error_model="numpy")
def cut_of(share: Share, start: float, z: Array, limit: float) -> float:
    """Find a magnitude so that the smaller entries of a row are those that go.

    If there is none, as of tied entries some stay and some go, those that go become zero.
    """
    cut = _searched(share, start, z, limit)
    if cut == 0.0:
        z[:] = without_smallest(z, share, limit)
        cut = np.inf
        for i in range(len(z)):
            if z[i] != 0.0:
                cut = min(cut, abs(z[i]))
    return cut


@njit(error_model="numpy")
def _searched(share: Share, start: float, z: Array, limit: float) -> float:
    """Search for this magnitude, trying `start` first, which often serves again; return 0 if that finds none.

    As many entries go as possible, whose shares are no more than `limit` together.  How many more could go says which
    magnitude to try next: farther and farther until too many go, and then in between by the rule of false position,
    where the end that stays counts half as much each time.
    """
    cut, low, high, too_few, too_many, reach = start, 0.0, np.inf, 0.0, 0.0, 1.0
    for _ in range(TRIES):
        taken = _taken_below(share, cut, z)
        more = (limit - taken) / share(cut)
        if 0.0 <= more < 1.0:
            return cut
        if more > 0.0:
            low, too_few, too_many = cut, more - 0.5, 0.5 * too_many
        else:
            high, too_few, too_many = cut, 0.5 * too_few, 0.5 - more
        if low > 0.0 and high < np.inf:
            cut = low + (high - low) * too_few / (too_few + too_many)
        else:
            cut *= min(max(1.0 + reach * (more - 0.5) / (len(z) - limit), 0.25), 4.0)
            reach *= 4.0
    return 0.0


@njit(fastmath={"reassoc"})
def _taken_below(share: Share, cut: float, z: Array) -> float:
    """Add the shares of the entries below `cut`."""
    taken = 0.0
    for i in range(len(z)):
        size = abs(z[i])
        taken += share(size) if size < cut else 0.0
    return taken
