"""A plugin of methods that behave badly, beside some that do not."""

import os
import random
import signal
import time
import warnings

import numpy as np

import spcabench
from spcabench import CARDINALITY, Either, ListOf, MethodSpec, Number, Parameter, Whole


class Axes:
    """Well behaved: the first axes; logs every fit where ODD_LOG says, takes a while and holds so many MiB."""

    def __init__(self, n_components=1, n_nonzero=1, pause=0.0, mebibytes=0, random_state=None):
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.pause = pause
        self.mebibytes = mebibytes
        self.random_state = random_state

    def fit(self, X, y=None):
        if len(X) != 24 and "ODD_LOG" in os.environ:  # 24 rows: the warm-up
            with open(os.environ["ODD_LOG"], "a", encoding="utf-8") as log:
                log.write(f"{self.random_state}\n")
        held = np.ones(self.mebibytes << 17)
        time.sleep(self.pause)
        del held
        self.components_ = self.loadings(X)
        return self

    def loadings(self, X):
        return np.eye(X.shape[1])[: self.n_components]


class Raises(Axes):
    def loadings(self, X):
        raise ArithmeticError("the sum | was\nodd")


class NotFinite(Axes):
    def loadings(self, X):
        return np.full((self.n_components, X.shape[1]), np.nan)


class Sleeps(Axes):
    def fit(self, X, y=None):
        if len(X) != 24:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if os.fork() == 0:
                time.sleep(600)
            time.sleep(600)
        return super().fit(X)


class Segfaults(Axes):
    def fit(self, X, y=None):
        if len(X) != 24:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().fit(X)


class Exits(Axes):
    def fit(self, X, y=None):
        if len(X) != 24:
            os._exit(3)
        return super().fit(X)


class Allocates(Axes):
    def fit(self, X, y=None):
        if len(X) != 24:
            hoard = []
            while True:
                hoard.append(np.ones(8_000_000))
                time.sleep(0.02)
        return super().fit(X)


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


PARAMETERS = {
    "n_components": Parameter(1, Whole(1)),
    "n_nonzero": Parameter(1, Either(Whole(1), ListOf(Whole(1)))),
    "pause": Parameter(0.0, Number(0)),
    "mebibytes": Parameter(0, Whole(0)),
    "random_state": Parameter(None, Whole(0)),
}


def _spec(name, cls, **fields):
    estimator = f"odd_methods:{cls.__name__}" if isinstance(cls, type) else cls
    return MethodSpec(name=name, estimator=estimator, knob=CARDINALITY, parameters=PARAMETERS, **fields)


@spcabench.hookimpl
def spcabench_methods():
    classes = {
        "axes": Axes,
        "raises": Raises,
        "not_finite": NotFinite,
        "sleeps": Sleeps,
        "segfaults": Segfaults,
        "exits": Exits,
        "allocates": Allocates,
        "unconverged": Unconverged,
        "warns": Warns,
        "writes": Writes,
        "draws_globally": DrawsGlobally,
        "drifts": Drifts,
    }
    specs = [_spec(name, cls) for name, cls in classes.items()]
    specs.append(_spec("missing_module", "no_such_module_here:Estimator", extra="pip install no-such-module"))
    specs.append(_spec("needs_labels", Axes, requires=frozenset({"labels"})))
    return specs
