"""The step of the manifold proximal gradient method, among the tangents of orthonormal columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array

PRECISE = 1e-7
"""The entries of D'W + W'D are at most this in norm, and less where the step is short."""
SHARE = 1e-2
"""What they cost is at most this share of what the step promises."""
MOST_STEPS = 50
ENOUGH = 1e-3
"""Newton's step, or a half of it, a quarter, ..., must shorten them by this share; a smaller share is not tried."""
SOLVED = 1e-4
"""Newton's equations are solved up to this share of their right side."""


class Trial(NamedTuple):
    """A step D, where W + D is not zero, and ``D'W + W'D``."""

    D: Array
    nonzero: Array
    apart: Array

    @property
    def norm(self) -> float:
        """How far D is from a tangent."""
        return float(np.linalg.norm(self.apart))


class Tangent:
    """Steps D with D'W + W'D = 0; the multipliers of one are the start of the next.

    D is the soft threshold of ``W + 2t S W + 2t W L``, less W.  The multipliers L maximise a concave dual, whose
    gradient is -(D'W + W'D): a semi-smooth Newton method finds them, and where its step does not help, a gradient step
    of 1/4t does.

    Parameters
    ----------
    thresholds : ndarray of shape (r,)
        Of the columns of W + D.
    t : float
        The length of a gradient step.
    shortest : float
        The square of the length below which steps need not be told apart.
    """

    def __init__(self, thresholds: Array, t: float, shortest: float) -> None:
        self.thresholds, self.t, self.shortest = thresholds, t, shortest
        self.multipliers = np.zeros((len(thresholds), len(thresholds)))

    def step(self, W: Array, SW: Array) -> Array:
        """Return the step from W."""
        forward = W + 2.0 * self.t * SW
        L = self.multipliers
        trial = self._trial(W, forward, L)
        for _ in range(MOST_STEPS):
            if trial.norm <= self._precision(trial, L):
                break
            L, trial = self._improved(W, forward, L, trial)
        self.multipliers = L
        return trial.D

    def _trial(self, W: Array, forward: Array, L: Array) -> Trial:
        V = forward + 2.0 * self.t * (W @ L)
        Z = V - np.clip(V, -self.thresholds, self.thresholds)
        product = W.T @ Z
        return Trial(Z - W, Z != 0.0, product + product.T - 2.0 * np.eye(len(L)))

    def _precision(self, trial: Trial, L: Array) -> float:
        promised = max(float(np.vdot(trial.D, trial.D)), self.shortest) / (2.0 * self.t)
        return min(PRECISE, SHARE * promised / max(1.0, float(np.linalg.norm(L))))

    def _improved(self, W: Array, forward: Array, L: Array, trial: Trial) -> tuple[Array, Trial]:
        direction, share = self._newton(W, trial), 1.0
        while share > ENOUGH:
            found = self._trial(W, forward, L + share * direction)
            if found.norm**2 < (1.0 - ENOUGH * share) * trial.norm**2:
                return L + share * direction, found
            share /= 2.0
        L = L - trial.apart / (4.0 * self.t)
        return L, self._trial(W, forward, L)

    def _newton(self, W: Array, trial: Trial) -> Array:
        """Solve the equations of Newton's step, slightly regularised, by conjugate gradients."""
        slight = 0.2 * max(min(trial.norm, 0.1), 1e-11)
        X, rest = np.zeros_like(trial.apart), -trial.apart
        direction, squared = rest, float(np.vdot(rest, rest))
        end = SOLVED**2 * squared
        for _ in range(X.size):
            product = W.T @ np.where(trial.nonzero, 2.0 * self.t * (W @ direction), 0.0)
            turned = product + product.T + slight * direction
            length = squared / float(np.vdot(direction, turned))
            X = X + length * direction
            rest = rest - length * turned
            old, squared = squared, float(np.vdot(rest, rest))
            if squared <= end:
                break
            direction = rest + squared / old * direction
        return X
