"""The fork server: a small warm program that forks a worker for each task.

Started by the host as a program of its own, with a connection to it.  It receives requests: an `Order` under a number
starts a worker, the number alone ends it.  It answers with events.  Each worker is a session of its own, so that it can
be ended with all it started; when the host goes, the connection ends, and the server ends every worker and itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Collection, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NoReturn

import numpy as np

from spcabench.plugins import import_file
from spcabench.run.messages import OUTPUT, Order
from spcabench.run.worker.task import Threads, do

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

KEPT_OUTPUT = 4000
"""Bytes of what a worker prints that are kept, the last."""
AT_ONCE = 2**16
"""Bytes of it that are read at once, and in a pipe at most."""
PATIENCE = 120.0
"""Seconds that a module may take to be imported at most, or the server ends; the next imports none."""


class Output:
    """What a worker prints: a pipe that is read here, so that it fills no disk, and its end, kept in a file.

    Parameters
    ----------
    file : Path
        Made at the end.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._end = file, b""
        self.read, self.written = os.pipe()
        os.set_blocking(self.read, False)
        self.open = True

    def take(self) -> None:
        """Take what can be read."""
        with contextlib.suppress(BlockingIOError):
            part = os.read(self.read, AT_ONCE)
            self.open = bool(part)
            self._end = (self._end + part)[-KEPT_OUTPUT:]

    def close(self) -> None:
        """Take the rest, though a process that was left may go on printing; keep the end."""
        self.take()
        os.close(self.read)
        text = self._end.decode(errors="replace").encode()  # a character may be cut
        with contextlib.suppress(OSError):
            self._file.write_bytes(text)


class ForkServer:
    """Serves until the host is gone.

    Parameters
    ----------
    host : Connection
        Requests come from there, and events go there.
    pools : Threads
        The pools that are loaded, which every worker has too: to find them takes 2 ms.
    """

    def __init__(self, host: Connection, pools: Threads) -> None:
        self._host, self._pools = host, pools
        self._workers: dict[int, tuple[int, Output]] = {}
        self._woken, self._wakes = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wakes, False)

    def serve(self) -> None:
        """Obey requests, and report the workers that end."""
        signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        _adopt_orphans()
        with contextlib.suppress(EOFError, ConnectionError):  # the host is gone
            while True:
                talking = [output for _, output in self._workers.values() if output.open]
                ready = wait([self._host, self._woken, *(output.read for output in talking)])
                for output in talking:
                    if output.read in ready:
                        output.take()
                if self._woken in ready:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._woken, 4096)
                    self._reap()
                if self._host in ready:
                    self._obey(*self._host.recv())
        self._end_all()

    def _obey(self, worker: int, order: Order | None) -> None:
        if order is None:
            if worker in self._workers:
                _kill_session(self._workers[worker][0])
            return
        output = Output(order.folder / OUTPUT)
        pid = os.fork()
        if pid == 0:
            read = [output.read, *(other.read for _, other in self._workers.values())]
            _work(order, self._pools, output.written, (self._woken, self._wakes, self._host.fileno(), *read))
        os.close(output.written)
        self._workers[worker] = pid, output
        self._host.send((worker, "started", pid))

    def _reap(self) -> None:
        """Report the workers that ended, after ending what they left behind."""
        for worker, (pid, output) in list(self._workers.items()):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                continue
            _kill_session(pid)
            _, status = os.waitpid(pid, 0)
            del self._workers[worker]
            self._end_orphans()
            output.close()
            self._host.send((worker, "ended", os.waitstatus_to_exitcode(status)))
        self._end_orphans()

    def _end_orphans(self) -> None:
        """End the processes whose worker is gone; those they started come here in their turn.

        A worker that is there adopts its orphans itself, so that none of them is here.
        """
        for pid in _children() - {worker for worker, _ in self._workers.values()}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)

    def _end_all(self) -> None:
        """End every worker, and what they started."""
        for pid, _ in self._workers.values():
            _kill_session(pid)
            os.waitpid(pid, 0)
        self._workers.clear()
        for _ in range(100):  # an orphan's children are orphans once it is gone
            if not _children():
                break
            self._end_orphans()
            time.sleep(0.01)


def _work(order: Order, pools: Threads, output: int, inherited: Collection[int]) -> NoReturn:
    """In the child: become a session of one's own, whose files are bounded, do the task, end."""
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
        _redirect(output)
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        most = order.most_bytes if most == resource.RLIM_INFINITY else min(order.most_bytes, most)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        do(order, pools)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            for stream in filter(None, (sys.__stdout__, sys.__stderr__)):  # not what a method put in their place
                stream.flush()
        os._exit(code)


def _redirect(output: int) -> None:
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)


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


def _preload(names: Sequence[str], patience: float) -> None:
    """Import the modules and plugin files that workers need, once; what fails is left to the worker that needs it."""
    for name in names:
        signal.setitimer(signal.ITIMER_REAL, min(patience, PATIENCE))
        with contextlib.suppress(BaseException):
            if name.endswith(".py"):
                import_file(Path(name))
            else:
                importlib.import_module(name)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _start_numba() -> None:
    """Compile something if numba is there, so that its tables are read here: a worker would need 0.25 s for them."""
    if "numba" in sys.modules:
        sys.modules["numba"].njit(lambda values: values[0])(np.ones(1))


def main(descriptor: str, threads: str, patience: str, *imported: str) -> None:
    """Serve the host at the other end of a descriptor's connection; a fit has `patience` seconds for its start."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _preload(imported, float(patience))
    _start_numba()
    pools = Threads(int(threads))
    gc.freeze()  # or each worker would copy the pages of all that is loaded when it collects garbage
    ForkServer(Connection(int(descriptor)), pools).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
