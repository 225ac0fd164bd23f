"""Truncations to a given cardinality by a penalty on the l_p norm, for p from 0 to 1.

Each entry solves ``min_u (u - v)^2 / 2 + lambda |u|^p``: it is 0 up to a threshold theta, where it jumps, and
above it the larger root of ``u + lambda p u^(p-1) = |v|`` (Marjanovic and Solo 2012).  The penalty lambda is the
one whose threshold leaves the wanted number of nonzeros.
"""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.truncations import thresholds

TIE = 1e-10
"""Magnitudes closer than this, relative to the largest, tie: rounding must not choose between them."""


def sparse_approximation(v: Array, k: int, p: float) -> Array:
    """Approximate `v` by a vector of `k` nonzeros under an l_p penalty.

    Parameters
    ----------
    v : ndarray of shape (n_features,)
        Any vector.
    k : int
        Nonzeros wanted; `n_features` or more returns `v`.
    p : float in [0, 1]
        0 keeps the k largest entries as they are, 1 is the soft threshold, 1/2 the half threshold of Xu,
        Chang, Xu and Zhang (2012).

    Returns
    -------
    ndarray of shape (n_features,)
        Of tied magnitudes those of smallest index are kept.  Entries tied at a soft threshold are zero, unless
        all would be: then the first k of them get equal magnitudes.

    Notes
    -----
    The threshold is theta = b_(k+1), the magnitude after the k-th, and entries must exceed it.  Zhao, Meng and
    Xu (2014) print b_(k), which for p = 1 would leave k - 1 nonzeros where their tables have k.

    Examples
    --------
    >>> import numpy as np
    >>> v = np.array([4.0, -3.0, 2.0, 1.0])
    >>> for p in (0.0, 0.5, 1.0):
    ...     print(np.round(sparse_approximation(v, 2, p), 3))
    [ 4. -3.  0.  0.]
    [ 3.594 -2.515  0.     0.   ]
    [ 2. -1.  0.  0.]
    """
    if k >= len(v):
        return v.copy()
    size = np.abs(v)
    parted = np.partition(size, len(v) - k)
    cut, theta = parted[len(v) - k], parted[: len(v) - k].max()
    tie = TIE * parted[len(v) - k :].max()
    kept = size >= cut - tie
    if np.count_nonzero(kept) > k:
        kept = size > cut + tie
        kept[np.flatnonzero(np.abs(size - cut) <= tie)[: k - np.count_nonzero(kept)]] = True
    if p == 0.0 or theta == 0.0:
        return np.where(kept, v, 0.0)
    values = np.zeros_like(v)
    values[kept] = shrunken(np.where(size > theta + tie, size, theta)[kept], theta, p)
    if not values.any():
        values[kept] = theta
    return np.sign(v) * values


def shrunken(size: Array, theta: float, p: float) -> Array:
    """Return the larger root u of ``u + lambda p u^(p-1) = size`` for ``size >= theta > 0``, lambda that of theta.

    Notes
    -----
    ``lambda = [2(1-p)]^(1-p) / (2-p)^(2-p) theta^(2-p)``; at the threshold the root is
    ``2(1-p)/(2-p) theta`` (the paper omits theta there).  Between, the equation is convex and increasing, so
    that Newton's method from above descends to the root.
    """
    closed = [t.shrunk for t in thresholds().values() if t.p == p]
    if closed:
        return np.asarray(closed[0](size, theta))
    ratio = size / theta
    slope = p * (2.0 * (1.0 - p)) ** (1.0 - p) / (2.0 - p) ** (2.0 - p)
    root = ratio.copy()
    for _ in range(50):
        power = slope * root ** (p - 1.0)
        step = (root + power - ratio) / (1.0 - (1.0 - p) * power / root)
        root -= step
        if np.all(np.abs(step) <= 1e-15 * root):
            break
    return np.asarray(theta * root)
