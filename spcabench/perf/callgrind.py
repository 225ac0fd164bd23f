"""Instructions of a call, counted by valgrind's callgrind in a child of this process, which runs under it."""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import traceback
from collections.abc import Callable
from pathlib import Path

FOLDER = "SPCABENCH_CALLGRIND"
"""The variable that names the folder of callgrind's dumps, where fits are counted and not timed."""
DUMP, ZERO, START = (0x43540000 + number for number in (0, 1, 4))
"""The requests of callgrind.h."""


class Callgrind:
    """Instructions as callgrind counts them: this process runs under it, and asks for a dump around each call."""

    CODE = bytes.fromhex("4889fa4889f0 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")
    """A client request of valgrind.h for x86-64, as a function of a default and of the request with its arguments."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self._memory.write(self.CODE)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._ask(START)

    def _ask(self, request: int) -> None:
        words = (ctypes.c_uint64 * 6)(request)
        ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)(self._address)(0, ctypes.addressof(words))

    def count(self, call: Callable[[], object]) -> int:
        """Return how many instructions a call takes."""
        for old in self._folder.iterdir():
            old.unlink()
        self._ask(ZERO)
        call()
        self._ask(DUMP)
        (dump,) = self._folder.glob("*.[0-9]*")  # the one without a number is of the fork
        total = next(line for line in dump.read_text(encoding="utf-8").splitlines() if line.startswith("totals:"))
        return int(total.split()[1])


def instructions(call: Callable[[], object]) -> int | None:
    """Return the instructions of a call, less what counting itself takes, or None where they are not to be counted.

    A child counts: no call sees what another left in memory, and this process stays fast under callgrind.

    Raises
    ------
    RuntimeError
        If the child failed; standard error says why.
    """
    folder = os.environ.get(FOLDER)
    if folder is None:
        return None
    gc.collect()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            gc.disable()
            counter = Callgrind(Path(folder))
            os.write(writing, str(counter.count(call) - counter.count(lambda: None)).encode())
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    if not text:
        raise RuntimeError("the child that counts failed; standard error says why")
    return int(text)
