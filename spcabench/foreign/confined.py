"""Do something in a process of its own, within limits on time, memory and files."""

from __future__ import annotations

import gc
import math
import os
import pickle
import signal
import sys
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import NoReturn, TypeVar

from spcabench.wording import InputError, bounded, in_a_line, printable

T = TypeVar("T")


class Refused(Exception):
    """What was asked for is not done; the message says why."""


def confined(work: Callable[[], T], seconds: float, memory: int) -> T:
    """Return what a function returns in a fork of this process, which can write no file.

    Parameters
    ----------
    work : callable
        Without arguments; what it returns is pickled.
    seconds : float
        Of the clock, and of the processor.
    memory : int
        Bytes beyond those of this process.

    Raises
    ------
    InputError
        If it raises one.
    Refused
        If it raises anything else, ends in any other way, or needs more time or memory.
    """
    try:
        receiving, sending = Pipe(duplex=False)
        child = os.fork()
    except OSError as error:
        raise Refused(f"no process can be started to read it: {error.strerror}") from error
    if child == 0:
        _work(work, sending, seconds, memory)
    sending.close()
    try:
        if not receiving.poll(seconds):
            raise Refused(_LATE.format(seconds))
        answer = receiving.recv()
    except EOFError:
        answer = None
    finally:
        receiving.close()
        os.kill(child, signal.SIGKILL)  # its number is its own until it is waited for
        _, status = os.waitpid(child, 0)
    if answer is None:
        late = os.waitstatus_to_exitcode(status) == -signal.SIGXCPU
        raise Refused(_LATE.format(seconds) if late else _DAMAGED.format("the process that reads it ended"))
    if isinstance(answer, Refused | InputError):
        raise answer
    return answer[0]  # type: ignore[no-any-return]


_LATE = "it takes longer than {:.3g} s; take fewer rows or columns"
_DAMAGED = "it cannot be read: {}; save it anew, or as .csv in UTF-8"


def _work(work: Callable[[], object], sending: Connection, seconds: float, memory: int) -> NoReturn:
    """In the child: do the work within the limits, send what it returns, end."""
    try:
        try:
            _limit(seconds, memory)
            answer = pickle.dumps((work(),))
        except BaseException as error:
            answer = pickle.dumps(_refusal(error, memory))
        sending.send_bytes(answer)
    finally:
        os._exit(0)


def _limit(seconds: float, memory: int) -> None:
    """Limit this process, and have it say nothing."""
    import resource  # Windows has none

    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CPU: math.ceil(seconds)}
    if sys.platform == "linux":  # other kernels do not hold a process to it
        with open("/proc/self/statm", encoding="ascii") as sizes:
            limits[resource.RLIMIT_AS] = int(sizes.read().split()[0]) * resource.getpagesize() + memory
    for limit, most in limits.items():
        soft, hard = resource.getrlimit(limit)
        least = min(value for value in (most, soft, hard) if value != resource.RLIM_INFINITY)
        resource.setrlimit(limit, (least, hard))


def _refusal(error: BaseException, memory: int) -> Refused | InputError:
    """Describe an error in one sentence."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, InputError):
        return InputError(str(error))  # whatever kind it is, this one can be pickled
    if isinstance(error, MemoryError) or "out of memory" in str(error):
        return Refused(f"it needs more than {memory / 2**30:.3g} GiB of memory; take fewer rows or columns")
    said = (isinstance(error, OSError) and error.filename and error.strerror) or str(error) or type(error).__name__
    said = said if isinstance(error, ValueError | OSError) else f"{type(error).__name__}: {error}"
    return Refused(_DAMAGED.format(printable(in_a_line(bounded(said))).rstrip(".")))
