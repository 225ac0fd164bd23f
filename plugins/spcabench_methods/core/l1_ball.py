"""The unit vector of largest inner product under a bound on its l1 norm."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, unit
from spcabench_methods.truncations.soft import soft


def bounded_unit(z: Array, bound: float) -> Array:
    """Maximise ``z'w`` subject to ``||w||_2 <= 1`` and ``||w||_1 <= bound``.

    Parameters
    ----------
    z : ndarray of shape (n_features,)
        Any vector.
    bound : float
        At least 1; the square root of n_features or more is no bound.

    Returns
    -------
    ndarray of shape (n_features,)
        The soft threshold of z whose l1 norm is `bound` times its l2 norm, scaled to unit length.  If more than
        ``bound**2`` entries of z tie for the largest magnitude, no soft threshold meets the bound: the tied entries
        get equal magnitudes.  Entries that may be rounding errors of the largest are zero.

    Examples
    --------
    >>> import numpy as np
    >>> bounded_unit(np.array([3.0, -2.0, 1.0]), 1.4).round(3)
    array([ 0.883, -0.467,  0.05 ])
    """
    z = np.where(np.abs(z) > TIE * np.abs(z).max(), z, 0.0)
    w = unit(z)
    return w if np.abs(w).sum() <= bound else unit(soft(z, ratio_threshold(np.abs(z), bound)))


def ratio_threshold(size: Array, bound: float) -> float:
    """Find the soft threshold after which the l1 norm is `bound` times the l2 norm.

    The ratio falls as the threshold t rises.  Between two neighbouring magnitudes m entries stay, with sums s1 of
    their magnitudes and s2 of the squares, and ``(s1 - m t)^2 = bound^2 (s2 - 2 t s1 + m t^2)`` is solved by
    ``t = s1/m - bound/m sqrt((m s2 - s1^2)/(m - bound^2))``.
    """
    size = np.sort(size)[::-1]
    size[size >= (1.0 - TIE) * size[0]] = size[0]
    m = np.arange(1, len(size) + 1)
    s1, s2 = np.cumsum(size), np.cumsum(size**2)
    lower = np.append(size[1:], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (s1 - m * lower) / np.sqrt(s2 - 2.0 * lower * s1 + m * lower**2)
    enough = (ratio >= (1.0 - TIE) * bound) & (lower < size[0])
    i = int(np.argmax(enough))
    spread, excess = m[i] * s2[i] - s1[i] ** 2, m[i] - bound**2
    if lower[i] == size[i] or size[i] == size[0] or excess <= 0.0:
        return float(lower[i])
    root = (s1[i] - bound * np.sqrt(max(spread, 0.0) / excess)) / m[i]
    return float(np.clip(root, lower[i], size[i]))


def onto_balls(v: Array, bound: float) -> Array:
    """Project onto the intersection of the unit l2 ball and the l1 ball of radius `bound`."""
    if np.abs(v).sum() <= bound and np.linalg.norm(v) <= 1.0:
        return v
    w = unit(v)
    if np.linalg.norm(v) > 1.0 and np.abs(w).sum() <= bound:
        return w
    inner = soft(v, excess(v, bound))
    return inner if np.linalg.norm(inner) <= 1.0 else bounded_unit(v, bound)


def excess(v: Array, bound: float) -> float:
    """Return the soft threshold after which magnitudes, of a vector or a matrix, sum to `bound`; 0 if they sum to less.

    With the m largest it is the mean of what they have beyond the bound, which is largest for those that stay.
    """
    size = np.sort(np.abs(v), axis=None)[::-1]
    return max(float(((np.cumsum(size) - bound) / np.arange(1, len(size) + 1)).max()), 0.0)
