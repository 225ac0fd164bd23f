"""A plugin of methods of which is known how long they take, what they hold and what they return."""

import time

import numpy as np

import spcabench
from spcabench import CARDINALITY, MethodSpec, Number, Parameter, Whole

WARM_UP = 24
"""Samples of the fit before the clock starts."""


class Measured:
    """Take and hold so much while it fits, and return rows of some norm."""

    def __init__(self, n_components=1, n_nonzero=1, seconds=0.0, mebibytes=0, norm=1.0, search_seconds=0.0, found=0):
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.seconds = seconds
        self.mebibytes = mebibytes
        self.norm = norm
        self.search_seconds = search_seconds
        self.found = found

    def fit(self, X, y=None):
        if len(X) != WARM_UP:
            held = np.ones(self.mebibytes << 17)
            time.sleep(self.seconds + (0.0 if self.found else self.search_seconds))
            del held
        if self.search_seconds and not self.found:
            self.calibrated_params_ = {"found": 1}
            self.n_fits_ = 7
        self.components_ = self.norm * np.eye(X.shape[1])[: self.n_components]
        return self


@spcabench.hookimpl
def spcabench_methods():
    parameters = {
        "n_components": Parameter(1, Whole(1)),
        "n_nonzero": Parameter(1, Whole(1)),
        "seconds": Parameter(0.0, Number(0)),
        "mebibytes": Parameter(0, Whole(0)),
        "norm": Parameter(1.0, Number()),
        "search_seconds": Parameter(0.0, Number(0)),
        "found": Parameter(0, Whole(0)),
    }
    return [MethodSpec(name="measured", estimator="measured_methods:Measured", knob=CARDINALITY, parameters=parameters)]
