"""Compiled functions that numba keeps on disk, each compiled by one process at a time.

numba numbers the files of a function's forms, one for each combination of types.  Two processes that compile two forms
at once take the same number, and one form is then read from the code of the other; so a lock of each function, beside
its files, keeps those apart that share a cache, and what one has compiled the others load.

numba compiles a function anew when its file has changed, not when what it calls has.  Compiled functions call those of
their own folder, of this one and of the truncations: after a change in any of these they are compiled anew.
"""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable
from functools import cache as remembered
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import numba
from numba.core.compiler_lock import global_compiler_lock

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
            files = made._cache._cache_file
            files._source_stamp = sources(Path(inspect.getfile(function)).parent)
            made.compile = one_at_a_time(made.compile, Path(f"{files._index_path}.lock"))
        return cast(Function, made)

    return compiled


@remembered
def sources(folder: Path) -> list[tuple[str, int, int]]:
    """Return what changes when a file does that a compiled function of this folder may call."""
    here = Path(__file__).parent
    files = sorted({*folder.glob("*.py"), *here.glob("*.py"), *(here.parent / "truncations").glob("*.py")})
    return [(str(file), os.stat(file).st_mtime_ns, os.stat(file).st_size) for file in files]


def one_at_a_time(compiled: Callable[[Any], Any], file: Path) -> Callable[[Any], Any]:
    """Let one process at a time, and of this one a thread, compile or load a form of a function.

    A function takes its lock before those of the functions that it calls, so that no two processes wait for each other.
    """
    held = False

    def alone(form: Any) -> Any:
        nonlocal held
        with global_compiler_lock:
            if held:  # a function that calls itself
                return compiled(form)
            with file.open("ab") as lock:
                hold(lock)
                held = True
                try:
                    return compiled(form)
                finally:
                    held = False

    return alone
