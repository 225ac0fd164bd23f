"""ALSPCA's augmented Lagrangian and its minimisation by proximal gradient steps, in compiled code.

Where S is no matrix, `descend` runs uncompiled on anything with a product ``S @ W``; what it calls is still compiled.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit

MEMORY = 10
"""A step may not end above the largest of this many last objectives."""
INNER_STEPS = 500
"""The most steps between two updates of the multipliers."""


class HasProduct(Protocol):
    """What `descend` needs of S."""

    def __matmul__(self, W: Array) -> Array:
        """Return S W."""


class Multipliers(NamedTuple):
    """The multipliers of W'W = I and of the upper and lower limits of score products, and the quadratic penalty."""

    equal: Array
    above: Array
    below: Array
    penalty: float


class Terms(NamedTuple):
    """What the Lagrangian is made of beside S: the penalties, the limit of score products, and the step lengths."""

    rho: Array
    limit: float
    octaves: float
    """Curvatures are rounded to powers of two so many octaves apart; 0: not rounded."""


@njit(cache=True, nogil=True)
def cost(W: Array, rho: Array) -> float:
    """Return the weighted sum of magnitudes."""
    total = 0.0
    for j in range(W.shape[1]):
        total += rho[j] * np.abs(W[:, j]).sum()
    return total


@njit(cache=True, nogil=True)
def pressure(C: Array, limit: float, m: Multipliers) -> tuple[Array, Array]:
    """Return the forces on products of scores from above and from below."""
    above, below = np.zeros_like(C), np.zeros_like(C)
    if math.isinf(limit):
        return above, below
    for i in range(len(C)):
        for j in range(len(C)):
            if i != j:
                above[i, j] = max(m.above[i, j] + m.penalty * (C[i, j] - limit), 0.0)
                below[i, j] = max(m.below[i, j] + m.penalty * (-C[i, j] - limit), 0.0)
    return above, below


@njit(cache=True, nogil=True)
def smooth(W: Array, SW: Array, limit: float, m: Multipliers) -> tuple[float, Array]:
    """Return the smooth part of the augmented Lagrangian and its gradient."""
    columns = np.ascontiguousarray(W.T)
    gap, C = columns @ W, columns @ SW
    for j in range(len(gap)):
        gap[j, j] -= 1.0
    above, below = pressure(C, limit, m)
    value = -np.trace(C) + (m.equal * gap).sum() + 0.5 * m.penalty * (gap**2).sum()
    value += ((above**2).sum() + (below**2).sum()) / (4.0 * m.penalty)
    gradient = 2.0 * (W @ (m.equal + m.penalty * gap) - SW) + SW @ (above - below)
    return value, gradient


@njit(cache=True, nogil=True)
def proximal(W: Array, gradient: Array, rho: Array, curvature: float) -> Array:
    """Step along the gradient, with soft thresholds."""
    new = np.empty_like(W)
    for i in range(W.shape[0]):
        for j in range(W.shape[1]):
            raised = W[i, j] - gradient[i, j] / curvature
            new[i, j] = np.sign(raised) * max(abs(raised) - rho[j] / curvature, 0.0)
    return new


@njit(cache=True, nogil=True)
def rounded(curvature: float, octaves: float) -> float:
    """Round to a power of two, so that rounding errors do not add up: spectral steps are chaotic."""
    return float(2.0 ** (octaves * round(math.log2(curvature) / octaves))) if octaves > 0.0 else curvature


@njit(cache=True, nogil=True)
def descend(S: Array | HasProduct, scale: float, start: Array, terms: Terms, m: Multipliers, tol: float) -> Array:
    """Minimise the augmented Lagrangian by proximal gradient steps of Barzilai and Borwein's length."""
    W = start
    value, gradient = smooth(W, (S @ W) / scale, terms.limit, m)
    recent = np.full(MEMORY, -np.inf)
    recent[0] = value + cost(W, terms.rho)
    curvature = 1.0
    for n_steps in range(1, INNER_STEPS + 1):
        while True:
            new = proximal(W, gradient, terms.rho, curvature)
            new_value, new_gradient = smooth(new, (S @ new) / scale, terms.limit, m)
            total = new_value + cost(new, terms.rho)
            step = new - W
            squared = (step**2).sum()
            if total <= recent.max() - 0.5e-4 * curvature * squared or curvature > 1e12:
                break
            curvature *= 2.0
        settled = curvature * np.abs(step).max() <= tol
        bend = (step * (new_gradient - gradient)).sum()
        W, gradient = new, new_gradient
        recent[n_steps % MEMORY] = total
        if settled:
            break
        spectral = min(max(bend / squared, 0.1), 1e8) if bend > 0.0 else 1.0
        curvature = rounded(spectral, terms.octaves)
    return W
