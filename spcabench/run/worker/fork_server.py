"""The fork server: a small warm program that forks a worker for each task.

Started by the host as a program of its own.  It reads requests as lines from its standard input and writes events to
what was its standard output when it started.  Each worker is a session of its own, so that it can be ended with all it
started; when the host goes, the input ends and the server ends every worker and itself.

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
from collections.abc import Collection
from pathlib import Path
from select import select
from typing import Any, NoReturn

import numpy as np

from spcabench.plugins import import_file
from spcabench.run.messages import OUTPUT, Ended, Fork, Kill, Order, Started, packed, unpacked
from spcabench.run.worker.task import Threads, do

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MADV_COLLAPSE = 25
_LARGE = 2**21

TRIAL = 120
"""Seconds that a module may take to be imported in a trial."""


class ForkServer:
    """Serves until the input ends.

    Parameters
    ----------
    events : int
        The descriptor that events are written to.
    pools : Threads
        The pools that are loaded, which every worker has too: to find them takes 2 ms.
    """

    def __init__(self, events: int, pools: Threads) -> None:
        self._events, self._pools = events, pools
        self._workers: dict[int, int] = {}
        self._woken, self._wakes = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wakes, False)

    def serve(self) -> None:
        """Obey requests, and report the workers that end."""
        signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        _adopt_orphans()
        pending = b""
        while True:
            ready, _, _ = select([0, self._woken], [], [])
            if self._woken in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._woken, 4096)
                self._reap()
            if 0 in ready:
                received = os.read(0, 1 << 16)
                if not received:
                    break
                *lines, pending = (pending + received).split(b"\n")
                for line in lines:
                    self._obey(unpacked(line))
        self._end_all()

    def _obey(self, request: Fork | Kill) -> None:
        if isinstance(request, Kill):
            if request.worker in self._workers:
                _kill_session(self._workers[request.worker])
            return
        pid = os.fork()
        if pid == 0:
            _work(request.order, self._pools, (self._woken, self._wakes, self._events))
        self._workers[request.worker] = pid
        self._say(Started(worker=request.worker, pid=pid))

    def _reap(self) -> None:
        """Report the workers that ended, after ending what they left behind."""
        for worker, pid in list(self._workers.items()):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                continue
            _kill_session(pid)
            _, status = os.waitpid(pid, 0)
            del self._workers[worker]
            self._end_orphans()
            killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            self._say(Ended(worker=worker, signal=killed, code=0 if killed else os.WEXITSTATUS(status)))
        self._end_orphans()

    def _end_orphans(self) -> None:
        """End the processes whose worker is gone; those they started come here in their turn.

        A worker that is there adopts its orphans itself, so that none of them is here.
        """
        for pid in _children() - set(self._workers.values()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)

    def _end_all(self) -> None:
        """End every worker, and what they started."""
        for pid in self._workers.values():
            _kill_session(pid)
            os.waitpid(pid, 0)
        self._workers.clear()
        for _ in range(100):  # an orphan's children are orphans once it is gone
            if not _children():
                break
            self._end_orphans()
            time.sleep(0.01)

    def _say(self, event: Started | Ended) -> None:
        with contextlib.suppress(BrokenPipeError):  # the host is gone; the end of its requests says so
            os.write(self._events, packed(event))


def _work(order: Order, pools: Threads, inherited: Collection[int]) -> NoReturn:
    """In the child: become a session of one's own, do the task, end."""
    code = 1
    try:
        os.setsid()
        if sys.platform == "linux":  # let the kernel end this worker should the server be killed
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _adopt_orphans()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for descriptor in inherited:
            os.close(descriptor)
        _redirect(str(order.folder / OUTPUT))
        do(order, pools)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _redirect(output: str) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(nothing, 0)
    os.dup2(written, 1)
    os.dup2(written, 2)
    os.close(nothing)
    os.close(written)


def _adopt_orphans() -> None:
    """On Linux, become the parent of what one's children leave behind, also in a session of its own."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _children() -> set[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return set(map(int, file.read().split()))
    except OSError:
        return set()


def _kill_session(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:  # the worker has not come to its setsid yet
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _preload(names: list[str]) -> None:
    """Import the modules and plugin files that workers need, once; what fails in a trial fork is left out."""
    for name in names:
        pid = os.fork()
        if pid == 0:
            _redirect(os.devnull)
            signal.alarm(TRIAL)
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


def _gather_memory() -> None:
    """Have the kernel keep what is loaded in pages of 2 MiB: to fork and to end a worker then costs it half as much."""
    if sys.platform != "linux":
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        span, rights, _, _, _, *name = line.split(maxsplit=5)
        start, end = (int(bound, 16) for bound in span.split("-"))
        start, end = -(-start // _LARGE) * _LARGE, end // _LARGE * _LARGE
        if rights.startswith("rw") and name in ([], ["[heap]"]) and start < end:
            madvise(start, end - start, _MADV_COLLAPSE)  # which older kernels do not know


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
    _preload(sys.argv[2:])
    _start_numba()
    found = Threads(int(sys.argv[1]))
    gc.freeze()  # or each worker would copy the pages of all that is loaded when it collects garbage
    _gather_memory()
    ForkServer(protocol, found).serve()
