"""Fit estimators in an environment of a method's own, as a program of it: requests and answers are lines of JSON.

It runs in whatever the environment has, which may be neither the host's Python nor have spcabench: it imports numpy and
the standard library alone, and what a plugin imports of spcabench it finds where the host has it.

The first request names the estimator, each other one fit.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import json
import os
import platform
import random
import resource
import sys
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import ModuleSpec
from typing import Any, TextIO

MEBI = 2**20 if sys.platform == "darwin" else 2**10


class Borrowed:
    """Finds the modules that the host lends, before any that the environment has by those names."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the specification of a lent module; None for any other."""
        file = self.files.get(name)
        return importlib.util.spec_from_file_location(name, file) if file else None


def opened(request: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Import the class; return it, and the names of its parameters."""
    module, _, attribute = request["target"].partition(":")
    sys.meta_path.insert(0, Borrowed(request["modules"]))
    import numpy  # noqa: F401  (or the message would be of a fit)

    cls = getattr(importlib.import_module(module), attribute)
    return cls, {"parameters": list(inspect.signature(cls).parameters)}


def fitted(cls: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    """Fit under the clock; return what can be sent of the attributes, its arrays in a file."""
    import numpy as np

    estimator = cls(**request["params"])
    data = np.load(request["data"], mmap_mode="r")
    random.seed(request["seed"])
    np.random.seed(request["seed"])  # noqa: NPY002
    before = peak_memory()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        begun = time.perf_counter(), time.process_time()
        estimator.fit(data)
        wall, cpu = time.perf_counter() - begun[0], time.process_time() - begun[1]
    plain: dict[str, Any] = {
        "fit_seconds_": wall,
        "cpu_seconds_": cpu,
        "peak_memory_": max(0.0, peak_memory() - before),
        "program_": f"Python {platform.python_version()} in an environment of its own",
    }
    arrays: dict[str, Any] = {}
    for name, value in attributes(estimator):
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
            arrays[name] = np.asarray(value)
        else:
            with contextlib.suppress(TypeError, ValueError):
                plain[name] = json.loads(json.dumps(value, default=as_plain))
    np.savez(os.path.join(request["folder"], "fitted.npz"), **arrays)
    texts = list(dict.fromkeys((warning.category.__name__, str(warning.message)) for warning in heard))
    return {"plain": plain, "warnings": texts}


def attributes(estimator: Any) -> Iterator[tuple[str, Any]]:
    """Yield the attributes that a fit leaves."""
    for name in dir(estimator):
        if name.endswith("_") and not name.startswith("_"):
            with contextlib.suppress(Exception):
                yield name, getattr(estimator, name)


def as_plain(value: Any) -> Any:
    """Return a numpy value as JSON has it."""
    return value.tolist()


def peak_memory() -> float:
    """Return the peak resident memory so far, MiB; on Linux without that of the process that started this one."""
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBI


def kind_of(error: Exception, is_open: bool) -> str:
    """Return what an error is to the host."""
    if type(error).__name__ == "MethodUnavailable":
        return "unavailable"
    if is_open:
        return "failed"
    return "missing" if isinstance(error, ImportError) else "unusable"


def serve(requests: Iterable[str], answers: TextIO) -> None:
    """Answer each request."""
    cls = None
    for line in requests:
        try:
            if cls is None:
                cls, answer = opened(json.loads(line))
            else:
                answer = fitted(cls, json.loads(line))
        except Exception as error:
            traceback.print_exc()
            said = f"{type(error).__name__}: {error}"
            kind = kind_of(error, cls is not None)
            said = f"in its environment: {said}" if cls is None else said
            said += "; add the package to the requirements of its environment" if kind == "missing" else ""
            answer = {"error": said, "kind": kind}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)  # what a method prints is no answer
        serve(sys.stdin, out)
