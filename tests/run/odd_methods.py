"""A plugin of methods that behave badly, beside some that do not."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import scipy.sparse
from threadpoolctl import threadpool_limits

import spcabench
from spcabench import CARDINALITY, Either, ListOf, MethodSpec, Number, Parameter, Whole


class Axes:
    """Well behaved: the first axes; logs every fit where ODD_LOG says."""

    def __init__(self, n_components=1, n_nonzero=1, pause=0.0, random_state=None):
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.pause = pause
        self.random_state = random_state

    def fit(self, X, y=None):
        if len(X) != 24 and "ODD_LOG" in os.environ:  # 24 rows: the warm-up
            with open(os.environ["ODD_LOG"], "a", encoding="utf-8") as log:
                log.write(f"{self.random_state}\n")
        time.sleep(self.pause)
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


class WrongShape(Axes):
    def loadings(self, X):
        return np.eye(X.shape[1])[:, : self.n_components]


class NotUnit(Axes):
    def loadings(self, X):
        return 1.001 * np.eye(X.shape[1])[: self.n_components]


class ComplexLoadings(Axes):
    def loadings(self, X):
        return 1j * np.eye(X.shape[1])[: self.n_components]


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


class SystemExits(Axes):
    def fit(self, X, y=None):
        if len(X) != 24:
            sys.exit("enough")
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


class Hostile(Axes):
    """Does its harm in the fit that counts, not in the warm-up."""

    def fit(self, X, y=None):
        if len(X) != 24:
            self.harm(X)
        return super().fit(X)


class LeavesChildren(Hostile):
    def harm(self, X):
        sleep = [sys.executable, "-c", f"import time; time.sleep(600)  # {LEFT_BEHIND}"]
        subprocess.Popen(sleep)
        subprocess.Popen(sleep, start_new_session=True)
        twice = f"import subprocess, sys; subprocess.Popen({sleep!r}, start_new_session=True)"
        subprocess.run([sys.executable, "-c", twice], check=True)


class PrintsEndlessly(Hostile):
    def harm(self, X):
        line = b"word " * 200_000
        for _ in range(1000):
            os.write(1, line)
            time.sleep(0.002)  # the host looks at it some times in each second
        print("the last word")


class SeedsEverything(Hostile):
    def harm(self, X):
        np.random.seed(1)  # noqa: NPY002
        random.seed(1)


class DrawsGlobally(Axes):
    """Repeatable only if the global generators start where the host says."""

    def loadings(self, X):
        rows = np.random.standard_normal((self.n_components, X.shape[1])) + random.random()  # noqa: NPY002
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class RaisesThreads(Hostile):
    def harm(self, X):
        os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "2"
        threadpool_limits(limits=2)


class ForksAfterThreads(Hostile):
    """Its child goes on in the host's code, as if it were the worker."""

    def harm(self, X):
        for _ in range(4):
            threading.Thread(target=time.sleep, args=(600,)).start()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.fork()


class KillsItsParent(Hostile):
    def harm(self, X):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class RaisesSpeechless(Hostile):
    def harm(self, X):
        raise Speechless


class RaisesNovel(Hostile):
    def harm(self, X):
        raise ValueError("long " * 10_000_000)


class Nonsense:
    def __repr__(self):
        raise RuntimeError("no words")

    __str__ = __bool__ = __array__ = __repr__


class NonsenseFacts(Axes):
    def fit(self, X, y=None):
        self.n_iter_ = Nonsense()
        self.objective_ = {"a": [Nonsense()]}
        self.converged_ = "perhaps"
        self.calibrated_params_ = Nonsense()
        self.n_fits_ = "many"
        return super().fit(X)


class EndlessFacts(Axes):
    def fit(self, X, y=None):
        self.n_iter_ = np.nan
        self.objective_ = np.zeros(3_000_000)
        self.converged_ = np.ones(3, dtype=bool)
        return super().fit(X)


class NonsenseMean(Axes):
    def fit(self, X, y=None):
        self.mean_ = "none"
        return super().fit(X)


class ObjectLoadings(Axes):
    def loadings(self, X):
        return super().loadings(X).astype(object)


class RaggedLoadings(Axes):
    def loadings(self, X):
        return [[1.0], [0.0, 1.0]]


class MaskedLoadings(Axes):
    def loadings(self, X):
        return np.ma.masked_equal(super().loadings(X), 0.0)


class SubclassLoadings(Axes):
    def loadings(self, X):
        return np.matrix(super().loadings(X))


class SparseLoadings(Axes):
    def loadings(self, X):
        return scipy.sparse.csr_array(super().loadings(X))


class HalfLoadings(Axes):
    def loadings(self, X):
        return super().loadings(X).astype(np.float16)


class ListLoadings(Axes):
    def loadings(self, X):
        return super().loadings(X).tolist()


class LateLoadings(Axes):
    """Its components_ cannot be looked at."""

    def fit(self, X, y=None):
        return self

    @property
    def components_(self):
        raise LookupError("not yet")


LEFT_BEHIND = "a process of an odd method"

PARAMETERS = {
    "n_components": Parameter(1, Whole(1)),
    "n_nonzero": Parameter(1, Either(Whole(1), ListOf(Whole(1)))),
    "pause": Parameter(0.0, Number(0)),
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
        "wrong_shape": WrongShape,
        "not_unit": NotUnit,
        "complex_loadings": ComplexLoadings,
        "sleeps": Sleeps,
        "segfaults": Segfaults,
        "exits": Exits,
        "system_exits": SystemExits,
        "allocates": Allocates,
        "unconverged": Unconverged,
        "warns": Warns,
        "writes": Writes,
        "leaves_children": LeavesChildren,
        "prints_endlessly": PrintsEndlessly,
        "seeds_everything": SeedsEverything,
        "draws_globally": DrawsGlobally,
        "raises_threads": RaisesThreads,
        "forks_after_threads": ForksAfterThreads,
        "kills_its_parent": KillsItsParent,
        "raises_speechless": RaisesSpeechless,
        "raises_novel": RaisesNovel,
        "nonsense_facts": NonsenseFacts,
        "endless_facts": EndlessFacts,
        "nonsense_mean": NonsenseMean,
        "object_loadings": ObjectLoadings,
        "ragged_loadings": RaggedLoadings,
        "masked_loadings": MaskedLoadings,
        "subclass_loadings": SubclassLoadings,
        "sparse_loadings": SparseLoadings,
        "half_loadings": HalfLoadings,
        "list_loadings": ListLoadings,
        "late_loadings": LateLoadings,
    }
    specs = [_spec(name, cls) for name, cls in classes.items()]
    specs.append(_spec("missing_module", "no_such_module_here:Estimator", extra="pip install no-such-module"))
    specs.append(_spec("needs_labels", Axes, requires=frozenset({"labels"})))
    return specs
