"""A plugin of methods that numba compiles: one that the warm-up compiles, one that it cannot foresee."""

import numpy as np
from numba import njit

import spcabench
from spcabench import CARDINALITY, MethodSpec

WARM_UP = 24
"""Samples of the fit before the clock starts."""


@njit(cache=True)
def total(values, weights):
    found = 0.0
    for value, weight in zip(values, weights):  # noqa: B905  (numba has no strict)
        found += np.sin(value) * np.cos(weight) + np.sum(np.sort(np.array([value, weight])))
    return found


class Second:
    """Calls the compiled function where it finds a second component."""

    def __init__(self, n_components=1, n_nonzero=1):
        self.n_components, self.n_nonzero = n_components, n_nonzero

    def fit(self, X, y=None):
        if self.n_components > 1:
            total(np.ones(3), np.ones(3))
        self.components_ = np.eye(X.shape[1])[: self.n_components]
        return self


class Late(Second):
    """Calls it only with the real data."""

    def fit(self, X, y=None):
        if len(X) != WARM_UP:
            total(np.ones(3, dtype=np.float32), np.ones(3))
        self.components_ = np.eye(X.shape[1])[: self.n_components]
        return self


@spcabench.hookimpl
def spcabench_methods():
    return [
        MethodSpec(name=name, estimator=f"compiled_methods:{cls}", knob=CARDINALITY)
        for name, cls in [("second", "Second"), ("late", "Late")]
    ]
