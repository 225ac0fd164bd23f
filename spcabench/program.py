"""What a plugin needs to bring in code that is no estimator: a function, or a program in R, Octave or another language.

A program is called as ``COMMAND FOLDER n_components=2 n_nonzero=4,3 ...``: a folder, then the parameters of the
method.  It reads the samples from the file ``X`` of the folder, and writes into the folder

- ``loadings``: one column for each component, one row for each feature, of any length;
- ``seconds``: the wall seconds of the fit by its own clock, and after them those of the processor, as text;
- ``version``: one line of text that names the program and its version;
- ``found``: after a search for its penalties, ``n_fits=31 penalty=0.1,0.2``: how many fits that took, and the
  parameters with which it would fit at once, as the host then makes it do under the clock.

A program that lacks a package writes ``lacks`` in their place: one line of text with the reason and the remedy.

Only the first must be there.  The files ``X`` and ``loadings`` hold doubles alone, little-endian: the number of rows,
the number of columns, and the entries column by column.

A method whose packages cannot stand beside others is a program too: a script, run by the Python of another environment.
"""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from select import select
from typing import Self

import numpy as np
from numpy.typing import NDArray

from spcabench.process import THREAD_VARIABLES
from spcabench.specs import MethodUnavailable

Array = NDArray[np.float64]

TASK_FOLDER = "SPCABENCH_TASK_FOLDER"
"""The variable that names the folder of a worker's task, which the host removes however the worker ends."""
_DOUBLE = np.dtype("<f8")
_SHOWN = 2000
"""Bytes of what a program says that are kept, the last."""


class FunctionMethod:
    """A method that is a function of the samples, the number of components and the number of nonzeros.

    A plugin derives a class with the function ``loadings(X, r, k)``; see ``plugins/README.md``.

    Parameters
    ----------
    n_components : int
        The wanted components, r.
    n_nonzero : int or sequence of int
        The wanted nonzeros of every component, or of each, k.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The loadings, each divided by its length.
    """

    def __init__(self, n_components: int = 2, n_nonzero: int | Sequence[int] = 1) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero

    @staticmethod
    def loadings(X: Array, r: int, k: int | Sequence[int]) -> object:
        """Return loadings of any length, an array of shape (r, n_features)."""
        raise NotImplementedError("a FunctionMethod needs a function loadings(X, r, k)")

    def fit(self, X: Array, y: object = None) -> Self:
        """Call the function with a copy of the samples, shape (n_samples, n_features).

        Raises
        ------
        ValueError
            If the samples, or the loadings, are no matrix of finite numbers.
        """
        samples = _matrix("X", np.array(X, dtype=np.float64))
        rows = _matrix("what loadings returned", np.asarray(self._found(samples)))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        self.components_ = rows / np.where(lengths > 0, lengths, 1.0)
        return self

    def _found(self, X: Array) -> object:
        return self.loadings(X, self.n_components, self.n_nonzero)


def _matrix(what: str, values: Array) -> Array:
    if values.ndim != 2 or not np.isfinite(values).all():
        raise ValueError(f"{what} is no matrix of finite numbers; its shape is {values.shape}")
    return values


class ProgramMethod(FunctionMethod):
    """A method that is a program of its own.

    A plugin derives a class that names the `command`; see ``plugins/README.md``.  The parameters of its constructor
    are passed on as ``name=value``, lists with commas, truth as 1 or 0; those that are None are left out.  ``fit``
    raises `MethodUnavailable` if there is no such program, or if it lacks a package, and `RuntimeError` if it fails, or
    leaves no loadings.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The loadings, each divided by its length.
    loadings_ : ndarray of shape (n_features, n_components)
        The loadings as the program returned them.
    fit_seconds_, cpu_seconds_ : float
        Its times by its own clock, where it says them: the host takes them as the times of the fit.
    calibrated_params_, n_fits_ : mapping, number
        What it searched, and in how many fits, where it did.
    program_ : str
        What it calls itself.
    """

    command: Sequence[str] = ()
    remedy: str = ""
    """What to do if the program is not here."""

    def called(self) -> Sequence[str]:
        """Return the program and its first arguments."""
        return self.command

    def options(self) -> Mapping[str, object]:
        """Return what is passed on: the parameters of the constructor."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def _found(self, X: Array) -> Array:
        command = self.called()
        if shutil.which(command[0]) is None:
            advice = f"; {self.remedy}" if self.remedy else ""
            raise MethodUnavailable(f"there is no program '{command[0]}' here{advice}")
        words = [f"{name}={_word(value)}" for name, value in self.options().items() if value is not None]
        environment = {**dict.fromkeys(THREAD_VARIABLES, "1"), **os.environ}
        with tempfile.TemporaryDirectory(dir=os.environ.get(TASK_FOLDER)) as place:
            folder = Path(place)
            write_matrix(folder / "X", X)
            code, text = _done([*command, place, *words], environment)
            if lacks := _text(folder / "lacks"):
                raise MethodUnavailable(lacks)
            sys.stdout.write(text)
            if code:
                raise RuntimeError(f"{command[0]} ended with exit code {code}: {text.strip() or 'it said nothing'}")
            self.loadings_ = _loadings(command[0], folder / "loadings")
            self.program_ = _text(folder / "version") or Path(command[0]).name
            seconds, found = _seconds(folder), _searched(folder)
        for name, spent in zip(("fit_seconds_", "cpu_seconds_"), seconds, strict=False):
            setattr(self, name, spent)
        if found:
            self.n_fits_ = found.pop("n_fits", 1)
            self.calibrated_params_ = found
        return self.loadings_.T


def _done(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command; return its exit code, and the end of what it said, of which no more is kept."""
    said = b""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    ) as process:
        assert process.stdout is not None
        while (ready := select([process.stdout], [], [], 0.05)[0]) or process.poll() is None:
            part = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            if ready and not part:
                break  # it may have left a process that could go on saying something
            said = (said + part)[-_SHOWN:]
        return process.wait(), said.decode("utf-8", "replace")


def write_matrix(file: Path, matrix: Array) -> None:
    """Write the number of rows, the number of columns and the entries, column by column, as little-endian doubles."""
    with file.open("wb") as out:
        np.array(matrix.shape, dtype=_DOUBLE).tofile(out)
        np.asarray(matrix, dtype=_DOUBLE).T.tofile(out)


def read_matrix(file: Path) -> Array:
    """Read what `write_matrix` wrote.

    Raises
    ------
    ValueError
        If it is something else.
    """
    numbers = np.fromfile(file, dtype=_DOUBLE)
    shape = numbers[:2]
    if len(numbers) < 2 or not np.isfinite(shape).all() or shape.prod() != len(numbers) - 2:
        raise ValueError("it is no matrix of doubles after its number of rows and of columns")
    return np.asarray(numbers[2:].reshape(int(shape[1]), int(shape[0])).T, dtype=np.float64)


def _loadings(program: str, file: Path) -> Array:
    try:
        return read_matrix(file)
    except (OSError, ValueError) as error:
        where = "in the folder that its first argument names"
        raise RuntimeError(f"the file 'loadings' of {program}, {where}, cannot be read: {error}") from error


def _seconds(folder: Path) -> tuple[float, ...]:
    text = _text(folder / "seconds")
    try:
        return tuple(map(float, text.split()[:2]))
    except ValueError:
        raise RuntimeError(f"the file 'seconds' is to have wall and processor seconds, and has: {text}") from None


def _searched(folder: Path) -> dict[str, float | list[float]]:
    text = _text(folder / "found")
    try:
        words = [word.split("=", 1) for word in text.split()]
        pairs = [(name, [float(number) for number in numbers.split(",")]) for name, numbers in words]
    except ValueError:
        raise RuntimeError(f"the file 'found' is to have name=number,number ..., and has: {text}") from None
    return {name: numbers[0] if len(numbers) == 1 else numbers for name, numbers in pairs}


def _text(file: Path) -> str:
    return " ".join(file.read_text(encoding="utf-8", errors="replace").split()) if file.is_file() else ""


def _word(value: object) -> str:
    if isinstance(value, list | tuple | np.ndarray):
        return ",".join(map(_word, value))
    return str(int(value)) if isinstance(value, bool | np.bool_) else str(value)
