"""In a worker: a class whose estimators are fitted in a process of the method's own environment."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Self

import numpy as np

from spcabench.importing import GROUP, NotInstalled, Unusable, resolve
from spcabench.process import THREAD_VARIABLES
from spcabench.program import TASK_FOLDER
from spcabench.run.messages import FitTask
from spcabench.specs import Array, MethodUnavailable

PROGRAM = Path(__file__).with_name("elsewhere_program.py")
_SHARED = {"site-packages", "dist-packages"}


@contextlib.contextmanager
def class_of(task: FitTask) -> Iterator[Any]:
    """Yield the estimator's class of a task, or what stands for it where the method has an environment of its own.

    Raises
    ------
    Unusable
        If it cannot be had.
    """
    if not task.python:
        yield resolve(task.estimator)
        return
    with tempfile.TemporaryDirectory(dir=os.environ.get(TASK_FOLDER)) as folder, _started(task.python) as process:
        yield _class(_Fits(process, task, Path(folder)))


@contextlib.contextmanager
def _started(python: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**dict.fromkeys(THREAD_VARIABLES, "1"), **os.environ}
    try:
        process = subprocess.Popen(
            [python, "-I", str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
        )
    except OSError as error:
        raise NotInstalled(
            f"its environment is not on this machine ({python}: {error.strerror}); keep the folder of caches, which "
            "XDG_CACHE_HOME names, where each machine sees it"
        ) from error
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process
    finally:
        with contextlib.suppress(BrokenPipeError):  # it may have ended amid a request
            process.stdin.close()
        process.stdout.close()
        process.wait()


class _Fits:
    """The fits of one task in one process."""

    def __init__(self, process: subprocess.Popen[str], task: FitTask, folder: Path) -> None:
        self._process, self._task, self._folder = process, task, folder
        self._data: list[Array] = []
        self.name = task.estimator.partition(":")[2]
        modules = _borrowed(task.estimator.partition(":")[0])
        self.parameters: list[str] = self._asked({"target": task.estimator, "modules": modules})["parameters"]

    def fit(self, params: Mapping[str, Any], data: Array) -> dict[str, Any]:
        """Fit; return the attributes of the fitted estimator."""
        seed = self._task.random_state
        answer = self._asked({"params": params, "data": str(self._file(data)), "seed": seed})
        for category, text in answer["warnings"]:
            warnings.warn(text, type(category, (UserWarning,), {}), stacklevel=2)
        with np.load(self._folder / "fitted.npz", allow_pickle=False) as arrays:
            return {**answer["plain"], **{name: arrays[name] for name in arrays.files}}

    def _file(self, data: Array) -> Path:
        """Return the file of a matrix, written when it is first used."""
        number = next((n for n, known in enumerate(self._data) if known is data), len(self._data))
        file = self._folder / f"data{number}.npy"
        if number == len(self._data):
            self._data.append(data)
            np.save(file, data)
        return file

    def _asked(self, request: Mapping[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps({**request, "folder": str(self._folder)}) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait()
            raise RuntimeError(f"the process in its environment ended with exit code {code}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise _ERRORS[answer["kind"]](answer["error"])
        return answer


_ERRORS = {"missing": NotInstalled, "unusable": Unusable, "unavailable": MethodUnavailable, "failed": RuntimeError}


def _class(fits: _Fits) -> Any:
    """Make the class that stands for the estimator's."""

    class Elsewhere:
        def __init__(self, **params: Any) -> None:
            self._params = params

        def fit(self, X: Array, y: object = None) -> Self:
            vars(self).update(fits.fit(self._params, X))
            return self

    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in fits.parameters]
    setattr(Elsewhere, "__signature__", inspect.Signature(parameters))  # noqa: B010  (mypy knows no such attribute)
    Elsewhere.__name__ = Elsewhere.__qualname__ = fits.name
    return Elsewhere


def _borrowed(module: str) -> dict[str, str]:
    """Return the modules that the environment may take from here, each with its file: plugins, and what they import."""
    plugins = {entry.value.partition(":")[0].partition(".")[0] for entry in entry_points(group=GROUP)}
    top = module.partition(".")[0]
    found = {name: _file(name) for name in ("spcabench", "pluggy", top)}
    own = found[top]
    if top not in plugins and own is not None and _SHARED & set(own.parts):
        del found[top]  # a library, which the environment is to have itself
    elif own is not None and own.name != "__init__.py":
        found |= {file.stem: file for file in own.parent.glob("*.py") if not _SHARED & set(file.parts)}
    return {name: str(file) for name, file in found.items() if file is not None}


def _file(module: str) -> Path | None:
    spec = importlib.util.find_spec(module)
    return Path(spec.origin) if spec is not None and spec.origin and spec.origin.endswith(".py") else None
