"""Compiled functions that are kept on disk, the code of each form in a file of its own.

numba numbers the files of a function's forms, one for each combination of types, and an index says which is which.  Two
processes that compile two forms at once take the same number, and one form is then read from the code of the other.
Here the name of a file follows from the form, and the file says itself what it holds: there is nothing to mix up.

numba also keeps a function, with what it calls, when only what it calls has changed.  Here it is compiled anew.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

Function = TypeVar("Function", bound=Callable[..., Any])

compiler: Any = numba.njit
"""Its type lacks options."""


def njit(*, cache: bool = False, **options: Any) -> Callable[[Function], Function]:
    """Compile a function as `numba.njit` does; with `cache` keep its forms on disk, each in a file of its own.

    No form for callers in C is compiled, which nobody needs.
    """

    def compiled(function: Function) -> Function:
        made = compiler(no_cfunc_wrapper=True, **options)(function)
        if cache:
            made._cache = SeparateForms(function)
        return cast(Function, made)

    return compiled


class SeparateForms(FunctionCache):
    """The forms of a function on disk."""

    _cache_file: Any

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        where = Path(self._cache_path) / self._impl.filename_base
        called = [(file, os.stat(file).st_mtime_ns, os.stat(file).st_size) for file in sorted(files_called(function))]
        self._cache_file = Files(where, (numba.__version__, self._impl.locator.get_source_stamp(), *called))


def files_called(function: Callable[..., Any]) -> set[str]:
    """Return the files of the compiled functions that a function calls, and of those that these call."""
    found: set[Callable[..., Any]] = set()
    rest = [function]
    while rest:
        caller = rest.pop()
        named: list[Any] = [caller.__globals__.get(name) for name in caller.__code__.co_names]
        used = {made.py_func for made in named if hasattr(made, "py_func")}
        rest += used - found
        found |= used
    return {inspect.getfile(called) for called in found}


class Files:
    """The files of a function.

    Parameters
    ----------
    where : Path
        What their names begin with.
    edition : tuple
        The version of numba, and what changes with the sources; files of other editions are not read.
    """

    def __init__(self, where: Path, edition: tuple[object, ...]) -> None:
        self.where, self.edition = where, edition

    def _path(self, key: object) -> Path:
        return self.where.with_name(f"{self.where.name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc")

    def load(self, key: object) -> Any:
        """Return the code of a form, or None."""
        try:
            with self._path(key).open("rb") as file:
                known = pickle.load(file) == self.edition and pickle.load(file) == key
                return pickle.load(file) if known else None
        except FileNotFoundError:
            return None

    def save(self, key: object, data: object) -> None:
        """Write the code of a form: all of it or nothing."""
        path = self._path(key)
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}.tmp")
        try:
            part.write_bytes(b"".join(map(dumps, (self.edition, key, data))))
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)

    def flush(self) -> None:
        """Remove all files."""
        for path in self.where.parent.glob(f"{self.where.name}.*.nbc"):
            path.unlink(missing_ok=True)
