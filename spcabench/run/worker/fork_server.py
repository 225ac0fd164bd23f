"""The fork server: a small warm program that forks a worker for each task.

Started by the host as a program of its own.  It reads requests as lines of JSON from its standard input and
writes events to what was its standard output when it started.  Each worker is a session of its own, so that it
can be ended with all it started; when the host goes, the input ends and the server ends every worker and itself.

Requests and events are those of `spcabench.run.messages`.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Any, NoReturn

import numpy as np

from spcabench.plugins import import_file
from spcabench.run.messages import (
    EVENTS,
    OUTPUT,
    PHASES,
    REQUESTS,
    Ended,
    Entered,
    Fork,
    Kill,
    Order,
    Phase,
    Ping,
    Pong,
    Started,
)
from spcabench.run.worker.task import do
from spcabench.run.worker.threads import Threads

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


MOST_SAID = 10_000
"""Phases that a worker may enter before it is listened to no more."""


@dataclass
class _Worker:
    """A worker: its process, the pipe by which it says what it is at, how often it has, and the last phase."""

    pid: int
    pipe: int
    said: int = 0
    phase: Phase = "prepare"


def serve(events: int) -> None:
    """Serve until the input ends; `events` is the descriptor that events are written to."""
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_read, False)
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    _adopt_orphans()
    _say(events, Pong())
    workers: dict[int, _Worker] = {}
    pending = b""
    while True:
        said = [worker.pipe for worker in workers.values() if worker.said <= MOST_SAID]
        ready, _, _ = select([0, wake_read, *said], [], [])
        for number, worker in workers.items():
            if worker.pipe in ready:
                _listen(number, worker, events)
        if wake_read in ready:
            _drain(wake_read)
            _reap(workers, events)
            _end_orphans(workers)
        if 0 in ready:
            received = os.read(0, 1 << 16)
            if not received:
                break
            *lines, pending = (pending + received).split(b"\n")
            for line in lines:
                _obey(REQUESTS.loads(line), workers, (wake_read, wake_write, events))
    _end_all(workers)


def _end_all(workers: Mapping[int, _Worker]) -> None:
    """End every worker, and what they started."""
    for worker in workers.values():
        _kill_session(worker.pid)
        os.waitpid(worker.pid, 0)
    for _ in range(100):  # an orphan's children are orphans once it is gone
        if not _children():
            break
        _end_orphans({})
        time.sleep(0.01)


def _obey(request: Fork | Kill | Ping, workers: dict[int, _Worker], inherited: tuple[int, int, int]) -> None:
    events = inherited[-1]
    if isinstance(request, Ping):
        _end_orphans(workers)
        _say(events, Pong())
    elif isinstance(request, Fork):
        heard, told = os.pipe()
        os.set_blocking(heard, False)
        os.set_blocking(told, False)
        pid = os.fork()
        if pid == 0:
            _work(request.order, told, (*inherited, heard, *(worker.pipe for worker in workers.values())))
        os.close(told)
        workers[request.worker] = _Worker(pid, heard)
        _say(events, Started(worker=request.worker, pid=pid))
    elif request.worker in workers:
        _kill_session(workers[request.worker].pid)


def _work(order: Order, told: int, inherited: Collection[int]) -> NoReturn:
    """In the child: become a session of one's own, do the task, end."""
    code = 1
    try:
        os.setsid()
        _die_with_parent()
        _adopt_orphans()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for descriptor in inherited:
            os.close(descriptor)
        _redirect(str(order.folder / OUTPUT))

        def enter(phase: Phase) -> None:
            with contextlib.suppress(OSError):  # a method may have closed it
                os.write(told, bytes([PHASES.index(phase)]))

        do(order, enter)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _listen(number: int, worker: _Worker, events: int) -> None:
    """Pass on which phases a worker has entered, with the time here."""
    at = time.monotonic()
    with contextlib.suppress(BlockingIOError):
        for index in os.read(worker.pipe, 64):
            worker.said += 1
            phase = PHASES[index] if index < len(PHASES) else worker.phase
            if phase != worker.phase:
                worker.phase = phase
                _say(events, Entered(worker=number, phase=phase, at=at))


def _redirect(output: str) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(nothing, 0)
    os.dup2(written, 1)
    os.dup2(written, 2)
    os.close(nothing)
    os.close(written)


def _die_with_parent() -> None:
    """On Linux, let the kernel end this worker should the server be killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _adopt_orphans() -> None:
    """On Linux, become the parent of what one's children leave behind, also in a session of its own."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _end_orphans(workers: Mapping[int, _Worker]) -> None:
    """End the processes whose worker is gone; those they started come here in their turn.

    A worker that is there adopts its orphans itself, so that none of them is here.
    """
    for pid in _children() - {worker.pid for worker in workers.values()}:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _children() -> set[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return set(map(int, file.read().split()))
    except OSError:
        return set()


def _reap(workers: dict[int, _Worker], events: int) -> None:
    """Report the workers that ended, after ending what they left behind."""
    for number, worker in list(workers.items()):
        if os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            continue
        _kill_session(worker.pid)
        _, status = os.waitpid(worker.pid, 0)
        _listen(number, worker, events)
        os.close(worker.pipe)
        del workers[number]
        killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        _say(events, Ended(worker=number, signal=killed, code=0 if killed else os.WEXITSTATUS(status)))


def _kill_session(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:  # the worker has not come to its setsid yet
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _drain(descriptor: int) -> None:
    try:
        while os.read(descriptor, 4096):
            pass
    except BlockingIOError:
        pass


def _say(events: int, event: Started | Entered | Ended | Pong) -> None:
    with contextlib.suppress(BrokenPipeError):  # the host is gone; the end of its requests says so
        os.write(events, EVENTS.dumps(event) + b"\n")


def _preload(names: list[str]) -> None:
    """Import the modules and plugin files that workers need, once; what fails in a trial fork is left out."""
    for name in names:
        pid = os.fork()
        if pid == 0:
            _redirect(os.devnull)
            try:
                _import(name)
            except BaseException:
                os._exit(1)
            os._exit(0)
        if os.waitpid(pid, 0)[1] == 0:
            _import(name)


def _import(name: str) -> None:
    if name.endswith(".py"):
        import_file(Path(name))
    else:
        importlib.import_module(name)


def _start_numba() -> None:
    """Compile something if numba is there, so that its tables are read here: a worker would need 0.25 s for them."""
    if "numba" in sys.modules:
        sys.modules["numba"].njit(_first)(np.ones(1))


def _first(values: Any) -> Any:
    return values[0]


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    protocol = os.dup(1)
    os.dup2(2, 1)  # what an imported module prints is not an event
    _preload(sys.argv[1:])
    _start_numba()
    Threads(1)  # threadpoolctl keeps the paths that it has resolved: 3 ms that no worker needs to spend
    gc.freeze()  # or each worker would copy the pages of all that is loaded when it collects garbage
    serve(protocol)
