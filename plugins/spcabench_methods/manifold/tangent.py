"""The step of the manifold proximal gradient method, among the tangents of orthonormal columns."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array

PRECISE = 1e-7
"""A step is a tangent if the entries of D'W + W'D are no larger in norm."""
MOST_STEPS = 500


class Tangent:
    """Steps D with D'W + W'D = 0; the multipliers of one are the start of the next.

    Parameters
    ----------
    thresholds : ndarray of shape (r,)
        Of the columns of W + D.
    t : float
        The length of a gradient step.
    """

    def __init__(self, thresholds: Array, t: float) -> None:
        self.thresholds, self.t = thresholds, t
        self.multipliers = np.zeros((len(thresholds), len(thresholds)))

    def step(self, W: Array, SW: Array) -> Array:
        """Return the step from W.

        The multipliers maximise a concave dual, whose gradient is -(D'W + W'D) and has the Lipschitz constant 4t: they
        take steps of 1/4t with Nesterov's extrapolation, which starts anew when it turns against the gradient.
        """
        forward = W + 2.0 * self.t * SW
        turned = 2.0 * self.t * W
        L = Y = self.multipliers
        momentum = 1.0
        for _ in range(MOST_STEPS):
            V = forward + turned @ Y
            D = V - np.clip(V, -self.thresholds, self.thresholds) - W
            product = W.T @ D
            apart = product + product.T
            if np.linalg.norm(apart) < PRECISE:
                break
            old, L = L, Y - apart / (4.0 * self.t)
            if np.vdot(apart, L - old) > 0.0:
                momentum = 1.0
            following = 0.5 + np.sqrt(0.25 + momentum**2)
            Y = L + (momentum - 1.0) / following * (L - old)
            momentum = following
        self.multipliers = Y
        return D
