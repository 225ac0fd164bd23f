"""A plugin of methods that behave badly, beside some that do not."""

import os
import random
import re
import signal
import time
import warnings

import numpy as np

import spcabench
from spcabench import CARDINALITY, MethodSpec


class Axes:
    """Well behaved: the first axes; logs every fit where ODD_LOG says, takes a while and holds so many MiB."""

    def __init__(self, n_components=1, n_nonzero=1, pause=0.0, mebibytes=0, random_state=None):
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.pause = pause
        self.mebibytes = mebibytes
        self.random_state = random_state

    def fit(self, X, y=None):
        if len(X) != 24:  # 24 rows: the warm-up
            self.harm()
            with open(os.environ.get("ODD_LOG", os.devnull), "a", encoding="utf-8") as log:
                log.write(f"{self.random_state}\n")
        held = np.ones(self.mebibytes << 17)
        time.sleep(self.pause)
        del held
        self.components_ = self.loadings(X)
        return self

    def harm(self):
        pass

    def loadings(self, X):
        return np.eye(X.shape[1])[: self.n_components]


class Raises(Axes):
    def loadings(self, X):
        raise ArithmeticError("the sum | was\nodd")


class NotFinite(Axes):
    def loadings(self, X):
        return np.full((self.n_components, X.shape[1]), np.nan)


class Sleeps(Axes):
    def harm(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(600)
        time.sleep(600)


class Segfaults(Axes):
    def harm(self):
        os.kill(os.getpid(), signal.SIGSEGV)


class Exits(Axes):
    def harm(self):
        os._exit(3)


class Unconverged(Axes):
    def fit(self, X, y=None):
        self.converged_ = False
        return super().fit(X)


class Warns(Axes):
    def fit(self, X, y=None):
        print("a word on stdout")
        warnings.warn("take care", RuntimeWarning, stacklevel=2)
        return super().fit(X)


class Writes(Axes):
    def fit(self, X, y=None):
        X[:] = 0
        return super().fit(X)


class DrawsGlobally(Axes):
    """Repeatable only if the global generators start where the host says."""

    def loadings(self, X):
        rows = np.random.standard_normal((self.n_components, X.shape[1])) + random.random()  # noqa: NPY002
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Drifts(Axes):
    """Draws from a generator that no seed reaches."""

    def loadings(self, X):
        rows = np.random.default_rng().standard_normal((self.n_components, X.shape[1]))
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


CLASSES = (
    *(Axes, Raises, NotFinite, Sleeps, Segfaults, Exits, Unconverged, Warns, Writes),
    *(DrawsGlobally, Drifts),
)


def _spec(name, estimator, **fields):
    return MethodSpec(name=name, estimator=estimator, knob=CARDINALITY, **fields)


@spcabench.hookimpl
def spcabench_methods():
    names = {cls: re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower() for cls in CLASSES}
    return [
        *(_spec(name, f"odd_methods:{cls.__name__}") for cls, name in names.items()),
        _spec("missing_module", "no_such_module_here:Estimator", extra="pip install no-such-module"),
        _spec("needs_labels", "odd_methods:Axes", requires=frozenset({"labels"})),
    ]
