"""Metrics that return no number, raise, or end their process."""

import os
import signal
import sys
import time
import warnings

import numpy as np
from harm import LONG, metric, sleeping


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
