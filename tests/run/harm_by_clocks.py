"""Methods that replace modules and clocks, or take away descriptors, signals and limits."""

import builtins
import contextlib
import gc
import json
import os
import random
import resource
import signal
import sys
import time

import numpy as np
from harm import (
    LONG,
    NO_RESULT,
    folder,
    method,
    sleeping,
)

from spcabench.run import messages
from spcabench.run.worker import clock

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
