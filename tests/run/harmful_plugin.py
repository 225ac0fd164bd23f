"""A plugin of methods, metrics and data sets that crash, hang, leak, print, fork, return nonsense or change their data.

Each is registered with the status and the reason that its cell must have: ``METHODS``, ``METRICS``, ``DATASETS``.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse
from threadpoolctl import threadpool_limits

import spcabench
from spcabench import CARDINALITY, Dataset, DatasetSpec, MethodSpec, MetricSpec

METHODS: dict[str, tuple[str, str]] = {}
METRICS: dict[str, str] = {}
DATASETS: dict[str, str] = {}
LONG = 600.0


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
        METHODS[harm.__name__] = status, reason
        globals()[f"Method_{harm.__name__}"] = type(f"Method_{harm.__name__}", (Axes,), {"harm": harm})
        return harm

    return register


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


def folder():
    """Return the worker's folder."""
    return Path(os.environ[spcabench.program.TASK_FOLDER])


def sleeper():
    """Return a command that sleeps, and names the worker's folder: whoever looks at all processes knows whose it is."""
    return [sys.executable, "-c", f"import time; time.sleep({LONG})  # {folder()}"]


def daemon(command):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(command[0], command)
        os._exit(0)


class Novel(BaseException):
    pass


RAISED = [
    (KeyboardInterrupt("not the user's"), "KeyboardInterrupt: not the user's"),
    (Novel("of my own"), "Novel: of my own"),
    (SystemExit(0), "SystemExit: 0"),
    (OSError("caf\udce9"), "caf\\udce9"),
]
for error, words in RAISED:

    def raises(self, X, error=error):
        raise error

    raises.__name__ = f"raises_a_{type(error).__name__.lower()}"
    method("error", words)(raises)


@method()
def warns_of_everything(self, X):
    for number in range(100_000):
        warnings.warn(f"{number} {'x' * 5000}", stacklevel=1)


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError("no words")


@method("error", "Speechless")
def raises_the_speechless(self, X):
    raise Speechless


@method("crashed", "before the task was done")
def leaves_nothing(self, X):
    os._exit(0)


@method("crashed", "SIGKILL")
def kills_itself(self, X):
    os.kill(os.getpid(), signal.SIGKILL)


@method("crashed", "the server that forks workers ended, twice at this fit")
def ends_the_server(self, X):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(LONG)


class Method_hangs_before_its_fit(Axes):
    def __init__(self, n_components=1, n_nonzero=1):
        time.sleep(LONG)


METHODS["hangs_before_its_fit"] = "timeout", "the start took longer than its limit of 16 s"


@method()
def hangs_at_its_end(self, X):
    class Stuck:
        def flush(self):
            time.sleep(LONG)

    sys.stdout = Stuck()


@method("timeout", "the fit took longer than its limit")
def prints_without_end(self, X):
    while True:
        os.write(1, b"word " * 200_000)


def run_program(source, X):
    command = (sys.executable, "-c", source)
    type("Program", (spcabench.ProgramMethod,), {"command": command})().fit(X)


@method("timeout", "the fit took longer than its limit")
def runs_a_program_that_prints_without_end(self, X):
    endless = "import os\nwhile True: os.write(1, b'word ' * 200_000)"
    run_program(endless, X)


@method("error", "File too large")
def fills_the_disk(self, X):
    with (folder() / "large").open("wb") as file:
        file.seek(2**29)
        while True:
            file.write(bytes(2**24))


LOADINGS = {
    "wrong_shape": (lambda rows: rows[:, :2], "invalid", "components_ of shape (2, 2); wanted is (2, 8)"),
    "not_unit": (lambda rows: 1.001 * rows, "invalid", "norm 1.001; wanted is 1 or 0"),
    "complex": (lambda rows: 1j * rows, "invalid", "complex128"),
    "ragged": (lambda rows: [[1.0], [0.0, 1.0]], "invalid", "components_ of type list"),
    "masked": (lambda rows: np.ma.masked_equal(rows, 0.0), "invalid", "masked values"),
    "of_a_subclass": (np.matrix, "ok", ""),
    "sparse": (scipy.sparse.csr_array, "ok", ""),
}
for kind, (changed, status, words) in LOADINGS.items():

    def returns(self, X, changed=changed):
        self.components_ = changed(self.components_)

    returns.__name__ = f"has_loadings_{kind}"
    method(status, words)(returns)


@method("error", "LookupError: not yet")
def has_no_loadings_yet(self, X):
    def late(self):
        raise LookupError("not yet")

    self.__class__ = type("Late", (), {"components_": property(late)})


class Nonsense:
    def __repr__(self):
        raise RuntimeError("no words")

    __str__ = __bool__ = __array__ = __repr__


@method()
def has_nonsense_facts(self, X):
    self.n_iter_ = self.calibrated_params_ = Nonsense()
    self.objective_ = {"a": [Nonsense()]}
    self.converged_ = "perhaps"
    self.n_fits_ = "many"


@method("invalid", "mean_ is not the mean of 8 features")
def has_a_nonsense_mean(self, X):
    self.mean_ = "none"


@method()
def raises_its_threads(self, X):
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "2"
    threadpool_limits(limits=2)


@method()
def forks_after_threads(self, X):
    """Its child goes on in the host's code, as if it were the worker."""
    for _ in range(4):
        threading.Thread(target=time.sleep, args=(LONG,)).start()
    os.fork()


@method()
def has_huge_facts(self, X):
    self.n_iter_ = np.ones(5_000_000, dtype=int)
    self.objective_ = self.program_ = "word " * 5_000_000
    self.n_fits_ = 10**400


@method("out_of_memory", "more than its limit")
def hoards_in_a_daemon(self, X):
    hoard = "import time; hoard = b'x' * 900_000_000; time.sleep(600)"
    daemon([sys.executable, "-c", hoard])
    time.sleep(LONG)


@method()
def leaves_a_daemon(self, X):
    daemon(sleeper())


@method()
def disowns_its_orphans(self, X):
    ctypes.CDLL(None).prctl(36, 0)  # PR_SET_CHILD_SUBREAPER
    daemon(sleeper())
    time.sleep(0.2)


@method()
def needs_its_daemon(self, X):
    """Fails if what it started, and let go, is ended while it waits for a word of it."""
    word = folder() / "word"
    daemon([sys.executable, "-c", f"import pathlib, time; time.sleep(1.0); pathlib.Path({str(word)!r}).touch()"])
    while not word.exists():
        time.sleep(0.01)


@method()
def goes_away(self, X):
    os.chdir("/")
    os.environ.clear()
    os.closerange(0, 4096)


@method("error", "ValueError: cannot set WRITEABLE")
def makes_the_array_writable(self, X):
    X.flags.writeable = True


@method()
def looks_for_the_store(self, X):
    """Fails if a path leads up from where it is, or from what it was given, to the file of the run."""
    assert Path.cwd() == Path(os.environ["PWD"]) == folder()
    found = [file for place in (folder(), *folder().parents) for file in place.glob("run.sqlite")]
    assert found == [], found


@metric("TypeError: it returned")
def has_odd_values(evaluation):
    return {"a": 1.0, 3: "x"}


@metric("KeyboardInterrupt: no user")
def interrupts(evaluation):
    raise KeyboardInterrupt("no user")


@metric("read-only")
def writes_to_the_data(evaluation):
    evaluation.dataset.X[:] = 0


@metric()
def forks(evaluation):
    subprocess.Popen(sleeper(), start_new_session=True)
    return 1.0


LETHAL = ("ends_its_process", "takes_too_long")


@metric("process ended with exit code 3")
def ends_its_process(evaluation):
    os._exit(3)


@metric("the scoring took longer than its limit of 3 s")
def takes_too_long(evaluation):
    time.sleep(LONG)


@dataset("the draw took longer than its limit of 12 s")
def never_comes(rng):
    time.sleep(LONG)


@dataset("exit code 3")
def ends_while_drawing(rng):
    os._exit(3)


@dataset("holds objects")
def has_objects(rng):
    return Dataset(X=rng.standard_normal((50, 8)), y=np.array([object()] * 50))


@dataset("more than its limit")
def takes_all_memory(rng):
    hoard = np.ones(80_000_000)
    time.sleep(LONG)
    return hoard


@spcabench.hookimpl
def spcabench_methods():
    return [MethodSpec(name=name, estimator=f"harmful_plugin:Method_{name}", knob=CARDINALITY) for name in METHODS]


@spcabench.hookimpl
def spcabench_metrics():
    return [MetricSpec(name=name, compute=f"harmful_plugin:{name}", on="once") for name in METRICS]


@spcabench.hookimpl
def spcabench_datasets():
    return [DatasetSpec(name=name, load=f"harmful_plugin:{name}") for name in DATASETS]
