"""How methods, metrics and data sets that do harm on purpose are registered, and what they share.

Each is registered with the status and the reason that its cell must have: ``METHODS``, ``METRICS``, ``DATASETS``.
``ESTIMATORS`` says where the class of each method is.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from spcabench.run import messages

METHODS: dict[str, tuple[str, str]] = {}
ESTIMATORS: dict[str, str] = {}
METRICS: dict[str, str] = {}
DATASETS: dict[str, str] = {}
LEFT_BEHIND = "a process of an odd plugin"
LONG = 600.0
NO_RESULT = "left what is no result"


class Axes:
    """Well behaved, but for the harm that a subclass does in the fit that counts."""

    def __init__(self, n_components=1, n_nonzero=1):
        self.n_components, self.n_nonzero = n_components, n_nonzero

    def fit(self, X, y=None):
        self.components_ = np.eye(X.shape[1])[: self.n_components]
        if len(X) != 24:  # 24 rows: the warm-up
            self.harm(X)
        return self


def method(status="ok", reason=""):
    """Register a method whose fit does the harm of a function ``harm(estimator, X)``."""

    def register(harm):
        name = harm.__name__
        METHODS[name] = status, reason
        ESTIMATORS[name] = f"{harm.__module__}:Method_{name}"
        setattr(sys.modules[harm.__module__], f"Method_{name}", type(f"Method_{name}", (Axes,), {"harm": harm}))
        return harm

    return register


def folder():
    """Return the worker's folder, which its output is in."""
    return Path(os.readlink("/proc/self/fd/1")).parent


def leave(text):
    """Leave a result of one's own, and end as if all were well."""
    (folder() / messages.RESULT).write_bytes(text)
    os._exit(0)


def sleeping(**options):
    return subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({LONG})  # {LEFT_BEHIND}"], **options)


def metric(error=""):
    """Register a metric; `error` is what its cell says of it, empty if it has a value."""

    def register(compute):
        METRICS[compute.__name__] = error
        return compute

    return register


def dataset(reason):
    """Register a data set that cannot be drawn, for a reason."""

    def register(load):
        DATASETS[load.__name__] = reason
        return load

    return register
