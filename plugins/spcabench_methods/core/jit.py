"""Compiled functions that numba keeps on disk, compiled by one process at a time.

numba numbers the files of a function's forms, one for each combination of types.  Two processes that compile two forms
at once take the same number, and one form is then read from the code of the other; so a lock keeps those apart that
share a cache, and what one has compiled the others load.

numba compiles a function anew when its file has changed, not when what it calls has.  Compiled functions call those of
their own folder, of this one and of the truncations: after a change in any of these they are compiled anew.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache as remembered
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import numba
from numba.core import event

if sys.platform == "win32":
    import msvcrt

    def hold(file: IO[bytes]) -> None:
        """Wait until no other process holds the file; closing it ends that."""
        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(0.05)
else:
    import fcntl

    def hold(file: IO[bytes]) -> None:
        """Wait until no other process holds the file; closing it ends that."""
        fcntl.flock(file, fcntl.LOCK_EX)


Function = TypeVar("Function", bound=Callable[..., Any])

compiler: Any = numba.njit
"""Its type lacks options."""


def njit(*, cache: bool = False, **options: Any) -> Callable[[Function], Function]:
    """Compile a function as `numba.njit` does.  No form for callers in C is compiled, which nobody needs."""

    def compiled(function: Function) -> Function:
        made = compiler(cache=cache, no_cfunc_wrapper=True, **options)(function)
        if cache:
            made._cache._cache_file._source_stamp = sources(Path(inspect.getfile(function)).parent)
        return cast(Function, made)

    return compiled


@remembered
def sources(folder: Path) -> list[tuple[str, int, int]]:
    """Return what changes when a file does that a compiled function of this folder may call."""
    here = Path(__file__).parent
    files = sorted({*folder.glob("*.py"), *here.glob("*.py"), *(here.parent / "truncations").glob("*.py")})
    return [(str(file), os.stat(file).st_mtime_ns, os.stat(file).st_size) for file in files]


class OneProcess(event.Listener):
    """Holds the lock of the processes of a user that share a cache while numba compiles, or loads what was compiled."""

    def __init__(self) -> None:
        shared = f"{Path.home()} {Path(__file__).parent} {os.environ.get('NUMBA_CACHE_DIR')}"
        name = hashlib.sha256(shared.encode()).hexdigest()[:16]
        self.path = Path(tempfile.gettempdir()) / f"spcabench-numba-{name}.lock"
        self.threads, self.depth = threading.RLock(), 0
        self.file: IO[bytes] | None = None

    def on_start(self, event: event.Event) -> None:
        """Take the lock."""
        self.threads.acquire()
        self.depth += 1
        if self.depth == 1:
            self.file = self.path.open("ab")
            hold(self.file)

    def on_end(self, event: event.Event) -> None:
        """Release it."""
        self.depth -= 1
        if self.depth == 0 and self.file is not None:
            self.file.close()
        self.threads.release()


event.register("numba:compiler_lock", OneProcess())  # type: ignore[no-untyped-call]
