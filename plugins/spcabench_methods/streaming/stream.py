"""Oja's iterations over a stream of samples, with one step or six, in memory for a few vectors."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.truncations.top_k import top_k

SHARES = np.array([1.0, 0.5, 2.0, 0.25, 4.0, 0.125])
"""The steps that are tried side by side, over the mean squared length of samples; of tied ones the first is kept."""

LARGEST = 2.0
"""A single step is at most this share of that length; larger ones lose the support."""

HELD_OUT = 0.1
"""The share of the samples that choose among the steps instead of taking part in them, where their number is known."""

REUSED, RECENT = 10, 8
"""Otherwise each sample is judged before it takes part, by loadings at most so many samples old; the last eighth of the
samples has most of the weight.
"""

BETWEEN_NORMALISATIONS = 16
"""Only directions count; so many samples between normalisations cannot make them overflow."""


class Stream:
    """The directions that Oja's iterations have come to.

    Parameters
    ----------
    start : ndarray of shape (n_features,)
        The first direction.
    k : int
        How many entries a loading keeps.
    n_total : int or None
        How many samples there will be; the last tenth of them then chooses among the steps, and takes no other part.
        None: all samples choose, each before it takes part.
    step : float or None
        The one step; None: six.
    """

    def __init__(self, start: Array, k: int, n_total: int | None, step: float | None) -> None:
        self.n_rows = 0
        self._k, self._n_total, self._step = k, n_total, step
        self._directions = np.tile(unit(start), (len(SHARES) if step is None else 1, 1))
        self._loadings = self._directions
        self._values = np.zeros(len(self._directions))
        self._n_judged = 0
        self._mean_square = 0.0
        self._varies = np.zeros(len(start), dtype=bool)

    def read(self, x: Array) -> None:
        """Take the next sample, centred."""
        self.n_rows += 1
        self._mean_square += (float(x @ x) - self._mean_square) / self.n_rows
        self._varies |= x != 0.0
        held_out = self._n_total is not None and self.n_rows > (1.0 - HELD_OUT) * self._n_total
        if self._step is None and (held_out or self._n_total is None):
            self._judge(x)
        if self._mean_square > 0.0 and (self._step is not None or not held_out):
            self._directions += np.outer(self._steps * (self._directions @ x), x)
        if self.n_rows % BETWEEN_NORMALISATIONS == 0:
            self._directions /= np.linalg.norm(self._directions, axis=1, keepdims=True)

    def loading(self) -> Array:
        """Return the thresholded direction whose mean squared score of the samples that choose is the largest."""
        return self._thresholded(self._directions[int(np.argmax(self._values))])

    @property
    def _steps(self) -> Array:
        if self._step is None:
            return SHARES / self._mean_square
        return np.array([min(self._step, LARGEST / self._mean_square)])

    def _judge(self, x: Array) -> None:
        """Update the mean squared scores of all loadings."""
        if self._n_judged % REUSED == 0:
            self._loadings = np.array([self._thresholded(u) for u in self._directions])
        self._n_judged += 1
        recent = RECENT if self._n_total is None else 1
        self._values += ((self._loadings @ x) ** 2 - self._values) * (recent / (self._n_judged + recent - 1))

    def _thresholded(self, direction: Array) -> Array:
        return unit(top_k(np.where(self._varies, direction, 0.0), self._k))
