"""A second plugin of what behaves badly: methods, metrics and data sets that do harm on purpose.

Each is registered with the status and the reason that its cell must have: ``METHODS``, ``METRICS``, ``DATASETS``.
"""

import builtins
import contextlib
import ctypes
import gc
import json
import mmap
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np

import spcabench
from spcabench import CARDINALITY, Dataset, DatasetSpec, Either, ListOf, MethodSpec, MetricSpec, Parameter, Whole
from spcabench.run import messages
from spcabench.run.worker import clock

METHODS: dict[str, tuple[str, str]] = {}
METRICS: dict[str, str] = {}
DATASETS: dict[str, str] = {}
LEFT_BEHIND = "a process of an odd plugin"
LONG = 600.0
NO_RESULT = "left what is no result"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


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
        globals()[f"Method_{name}"] = type(f"Method_{name}", (Axes,), {"harm": harm})
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


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# What is raised


class Novel(BaseException):
    pass


@method("error", "KeyboardInterrupt: not the user's")
def raises_keyboard_interrupt(self, X):
    raise KeyboardInterrupt("not the user's")


@method("error", "GeneratorExit: out")
def raises_generator_exit(self, X):
    raise GeneratorExit("out")


@method("error", "Novel: of my own")
def raises_base_exception(self, X):
    raise Novel("of my own")


@method("error", "StopIteration")
def raises_stop_iteration(self, X):
    raise StopIteration


@method("error", "MemoryError: none left")
def raises_memory_error(self, X):
    raise MemoryError("none left")


@method("error", "ExceptionGroup: two")
def raises_group(self, X):
    raise ExceptionGroup("two", [ValueError("a"), OSError("b")])


@method("error", "RecursionError")
def recurses(self, X):
    recurses(self, X)


@method("error", "SystemExit: 0")
def exits_politely(self, X):
    sys.exit(0)


@method("error", "\\udce9")
def raises_half_a_character(self, X):
    raise OSError("caf\udce9")


@method("error", "RuntimeWarning: now an error")
def makes_warnings_errors(self, X):
    warnings.simplefilter("error")
    warnings.warn("now an error", RuntimeWarning, stacklevel=1)


# What is left


@method("crashed", NO_RESULT)
def leaves_a_list(self, X):
    leave(b"[1]")


@method("crashed", NO_RESULT)
def leaves_brackets(self, X):
    leave(b"[" * 100_000)


@method("crashed", NO_RESULT)
def leaves_nested_braces(self, X):
    leave(b'{"kind":' * 50_000 + b"\n")


@method("crashed", "16777216")
def leaves_too_much(self, X):
    leave(b" " * 2**25)


@method("crashed", "the result of a score")
def leaves_a_result_of_another_kind(self, X):
    leave(messages.RESULTS.dumps(messages.ScoreResult()))


@method("crashed", "a failure of status interrupted")
def claims_to_be_interrupted(self, X):
    leave(messages.RESULTS.dumps(messages.Failure(status="interrupted", reason="")))


@method("crashed", "no regular file")
def leaves_a_pipe(self, X):
    os.mkfifo(folder() / messages.RESULT)
    os._exit(0)


@method("crashed", "link")
def leaves_a_link(self, X):
    (folder() / messages.RESULT).symlink_to("/dev/zero")
    os._exit(0)


@method("crashed", "no regular file")
def leaves_a_folder(self, X):
    (folder() / messages.RESULT).mkdir()


@method("crashed", "exit code 1")
def has_nowhere_to_leave_loadings(self, X):
    (folder() / messages.LOADINGS).symlink_to("/dev/full")


@method("crashed", "before the fit was done")
def leaves_nothing(self, X):
    os._exit(0)


@method("crashed", "before the fit was done")
def removes_the_work_folder(self, X):
    shutil.rmtree(folder().parent, ignore_errors=True)


@method("invalid", "components_ of shape (3, 4000000)")
def has_huge_components(self, X):
    self.components_ = np.zeros((3, 4_000_000))


@method("ok")
def has_huge_facts(self, X):
    self.n_iter_ = np.ones(5_000_000, dtype=int)
    self.objective_ = "word " * 5_000_000
    self.n_fits_ = 10**400


@method("ok")
def warns_of_everything(self, X):
    for number in range(100_000):
        warnings.warn(f"{number} {'x' * 5000}", stacklevel=1)


# Modules and clocks


@method("ok")
def replaces_json(self, X):
    json.dumps = json.loads = None


@method("ok")
def replaces_the_clock(self, X):
    time.perf_counter = time.monotonic = time.time = lambda: float("nan")


@method("invalid", "its clock cannot be right: fit_time is nan")
def stops_the_clock(self, X):
    clock.perf_counter = lambda: float("nan")


@method("invalid", "its clock cannot be right: fit_time is -")
def turns_the_clock_back(self, X):
    clock.perf_counter = lambda: -1e9


@method("error", "TypeError")
def makes_the_clock_talk(self, X):
    clock.perf_counter = lambda: "noon"


@method("crashed", NO_RESULT)
def replaces_the_results(self, X):
    messages.RESULTS.dumps = lambda result: b"[1]"


@method("error", "TypeError")
def replaces_savez(self, X):
    np.savez = None


@method("ok")
def replaces_builtins(self, X):
    builtins.print = builtins.input = None
    sys.stdout = sys.stderr = None


@method("ok")
def profiles(self, X):
    sys.setprofile(lambda *args: None)
    gc.disable()
    random.seed = print


@method("ok")
def goes_away(self, X):
    os.chdir("/")
    os.environ.clear()


# Descriptors, limits, signals


@method("ok")
def closes_descriptors(self, X):
    os.closerange(3, 4096)


@method("ok")
def closes_its_output(self, X):
    os.closerange(0, 3)


@method("crashed", "exit code 1")
def may_write_no_file(self, X):
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@method("crashed", "SIGXCPU")
def has_no_cpu_left(self, X):
    os.kill(os.getpid(), signal.SIGXCPU)


@method("crashed", "SIGALRM")
def sets_an_alarm(self, X):
    signal.alarm(1)
    time.sleep(LONG)


@method("ok")
def handles_signals(self, X):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR1})


@method("crashed", "SIGABRT")
def aborts(self, X):
    os.abort()


@method("crashed", "SIGKILL")
def kills_itself(self, X):
    os.kill(os.getpid(), signal.SIGKILL)


@method("timeout", "the fit took longer than its limit")
def stops_itself(self, X):
    os.kill(os.getpid(), signal.SIGSTOP)


@method("crashed", "the server that forks workers did not answer for")
def stops_the_server(self, X):
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(LONG)


@method("crashed", "the server that forks workers ended, twice at this fit")
def ends_the_server(self, X):
    sleeping(start_new_session=True)
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(LONG)


# Limits


@method("timeout", "the fit took longer than its limit")
def touches_marks(self, X):
    while True:
        for name in ("fit.begin", "fit.end"):
            (folder() / name).touch()
        time.sleep(0.05)


@method("timeout", "took longer than")
def says_that_it_is_done(self, X):
    while True:
        for name in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                if int(name) > 2 and os.readlink(f"/proc/self/fd/{name}").startswith("pipe:"):
                    os.write(int(name), bytes([messages.PHASES.index("score"), messages.PHASES.index("fit"), 255]))
        time.sleep(0.05)


@method("out_of_memory", "more than its limit")
def hoards_in_a_daemon(self, X):
    hoard = "import time; hoard = b'x' * 900_000_000; time.sleep(600)"
    again = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {hoard!r}], start_new_session=True)"
    subprocess.run([sys.executable, "-c", again], check=True)
    time.sleep(LONG)


# Processes and threads


@method("ok")
def leaves_a_daemon(self, X):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", f"import time; time.sleep({LONG})  # {LEFT_BEHIND}"])
        os._exit(0)


@method("ok")
def needs_its_daemon(self, X):
    """Fails if what it started, and let go, is ended while it waits for a word of it."""
    word = folder() / "word"
    late = f"import pathlib, time; time.sleep(1.0); pathlib.Path({str(word.absolute())!r}).touch()"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", late])
        os._exit(0)
    while not word.exists():
        time.sleep(0.01)


@method("ok")
def disowns_its_orphans(self, X):
    prctl(PR_SET_CHILD_SUBREAPER, 0)
    leaves_a_daemon(self, X)
    time.sleep(0.2)


@method("ok")
def outlives_its_parent(self, X):
    prctl(PR_SET_PDEATHSIG, 0)
    sleeping(start_new_session=True)


@method("ok")
def leaves_many_children(self, X):
    for _ in range(20):
        if os.fork() == 0:
            time.sleep(LONG)


@method("ok")
def leaves_threads(self, X):
    for _ in range(50):
        threading.Thread(target=time.sleep, args=(LONG,), daemon=False).start()


@method("ok")
def raises_in_a_thread(self, X):
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()


@method("crashed", "exit code 7")
def exits_in_a_thread(self, X):
    threading.Thread(target=os._exit, args=(7,)).start()
    time.sleep(LONG)


# Data that all cells share


def mapped():
    """Return the files that are mapped here and hold data."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return {line.split(None, 5)[5] for line in lines if "memfd:" in line}


@method("error", "PermissionError")
def writes_through_the_map(self, X):
    parent = f"/proc/{Path('/proc/self/stat').read_text(encoding='utf-8').split()[3]}"
    host = f"/proc/{Path(parent, 'stat').read_text(encoding='utf-8').split()[3]}/fd"
    for name in os.listdir(host):
        with contextlib.suppress(FileNotFoundError):
            if "memfd:spcabench" in os.readlink(f"{host}/{name}") and os.stat(f"{host}/{name}").st_size:
                with open(f"{host}/{name}", "r+b") as file, mmap.mmap(file.fileno(), 0) as data:
                    data[-8:] = b"\0" * 8


@method("error", "PermissionError")
def makes_the_map_writable(self, X):
    page = os.sysconf("SC_PAGE_SIZE")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    if libc.mprotect(X.ctypes.data // page * page, page, mmap.PROT_READ | mmap.PROT_WRITE):
        raise OSError(ctypes.get_errno(), "mprotect")
    ctypes.memset(X.ctypes.data, 0, X.nbytes)


@method("error", "ValueError: cannot set WRITEABLE")
def makes_the_array_writable(self, X):
    X.flags.writeable = True


@method("ok")
def overwrites_the_file_of_data(self, X):
    for file in folder().parent.glob("*/data"):
        file.write_bytes(b"\0" * file.stat().st_size)


@method("ok")
def removes_the_file_of_data(self, X):
    for file in folder().parent.glob("*/data"):
        file.unlink()


# Metrics


def metric(error=""):
    """Register a metric; `error` is what its cell says of it, empty if it has a value."""

    def register(compute):
        METRICS[compute.__name__] = error
        return compute

    return register


@metric("TypeError: it returned")
def says_a_word(evaluation):
    return "high"


@metric("TypeError: it returned")
def says_nothing(evaluation):
    return None


@metric()
def is_nan(evaluation):
    return float("nan")


@metric()
def is_infinite(evaluation):
    return float("-inf")


@metric("TypeError: it returned")
def is_complex(evaluation):
    return 1j


@metric("TypeError: it returned")
def is_an_array(evaluation):
    return np.ones(3)


@metric("KeyboardInterrupt: no user")
def interrupts(evaluation):
    raise KeyboardInterrupt("no user")


@metric("GeneratorExit: out")
def leaves_a_generator(evaluation):
    raise GeneratorExit("out")


@metric("SystemExit: bye")
def exits(evaluation):
    sys.exit("bye")


@metric("read-only")
def writes_to_the_data(evaluation):
    evaluation.dataset.X[:] = 0


@metric("TypeError: it returned")
def has_odd_values(evaluation):
    return {"a": 1.0, 3: "x"}


@metric()
def warns(evaluation):
    warnings.warn("take care", stacklevel=1)
    return 1.0


@metric()
def forks(evaluation):
    sleeping(start_new_session=True)
    return 1.0


@metric("ValueError: long long")
def raises_at_length(evaluation):
    raise ValueError("long " * 1_000_000)


@metric("its process ended with exit code 3")
def ends_its_process(evaluation):
    os._exit(3)


@metric("SIGKILL")
def is_killed(evaluation):
    os.kill(os.getpid(), signal.SIGKILL)


@metric("its metrics took longer than their limit of 3 s")
def hangs(evaluation):
    time.sleep(LONG)


LETHAL = ("ends_its_process", "is_killed", "hangs")


# Data sets


def dataset(reason):
    """Register a data set that cannot be drawn, for a reason."""

    def register(load):
        DATASETS[load.__name__] = reason
        return load

    return register


@dataset("drawing the data set took longer than its limit of 12 s")
def never_comes(rng):
    time.sleep(LONG)


@dataset("KeyboardInterrupt: no user")
def is_interrupted(rng):
    raise KeyboardInterrupt("no user")


@dataset("SystemExit: bye")
def exits_while_drawing(rng):
    sys.exit("bye")


@dataset("exit code 3")
def ends_while_drawing(rng):
    os._exit(3)


@dataset("SIGSEGV")
def is_a_fault(rng):
    os.kill(os.getpid(), signal.SIGSEGV)


@dataset("where Dataset is wanted")
def is_a_list(rng):
    return [1.0]


@dataset("holds objects")
def has_objects(rng):
    return Dataset(X=rng.standard_normal((50, 8)), y=np.array([object()] * 50))


@dataset(NO_RESULT)
def leaves_no_result(rng):
    leave(b"[1]")


@dataset("more than its limit")
def takes_all_memory(rng):
    hoard = np.ones(80_000_000)
    time.sleep(LONG)
    return hoard


@dataset("left no file of data")
def leaves_a_pipe_for_data(rng):
    summary = spcabench.run.worker.data_files.save(Dataset(X=rng.standard_normal((50, 8))), folder())
    (folder() / messages.DATA).unlink()
    os.mkfifo(folder() / messages.DATA)
    leave(messages.RESULTS.dumps(messages.DrawResult(data=summary)) + b"\n")


PARAMETERS = {
    "n_components": Parameter(1, Whole(1)),
    "n_nonzero": Parameter(1, Either(Whole(1), ListOf(Whole(1)))),
}


@spcabench.hookimpl
def spcabench_methods():
    names = [f"odd_methods2:Method_{name}" for name in METHODS]
    return [
        MethodSpec(name=name, estimator=estimator, knob=CARDINALITY, parameters=PARAMETERS)
        for name, estimator in zip(METHODS, names, strict=True)
    ]


@spcabench.hookimpl
def spcabench_metrics():
    return [MetricSpec(name=name, compute=f"odd_methods2:{name}", on="once") for name in METRICS]


@spcabench.hookimpl
def spcabench_datasets():
    return [DatasetSpec(name=name, load=f"odd_methods2:{name}") for name in DATASETS]
