"""What a check runs in: the surroundings of a worker, a limit on time, and nothing of it left behind."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import numpy as np
from threadpoolctl import threadpool_limits

LIMIT = 60.0
"""Processor seconds that one promise may take."""


@contextmanager
def apart() -> Iterator[None]:
    """Hold BLAS to one thread, and restore the global random generators afterwards."""
    states = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        with threadpool_limits(1, user_api="blas"):
            yield
    finally:
        np.random.set_state(states[0])  # noqa: NPY002
        random.setstate(states[1])


@contextmanager
def limited(seconds: float = LIMIT) -> Iterator[None]:
    """Raise `TimeoutError` in what takes more processor time, where Python can interrupt it: in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"no result after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
