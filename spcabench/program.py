"""A method that is a program: what a plugin needs to bring in R, Octave or any other language.

The program is called as ``COMMAND FOLDER n_components=2 n_nonzero=4,3 ...``: a folder, then the parameters of the
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
from dataclasses import dataclass
from pathlib import Path
from select import select

import numpy as np
from numpy.typing import NDArray

from spcabench.process import THREAD_VARIABLES
from spcabench.specs import MethodUnavailable
from spcabench.wrap import FunctionMethod

Array = NDArray[np.float64]

TASK_FOLDER = "SPCABENCH_TASK_FOLDER"
"""The variable that names the folder of a worker's task, which the host removes however the worker ends."""
_DOUBLE = np.dtype("<f8")
_SHOWN = 2000
"""Bytes of what a program says that are kept, the last."""


@dataclass(frozen=True)
class Answer:
    """What a program left.

    Parameters
    ----------
    loadings : ndarray of shape (n_features, n_components)
        As the program has them.
    seconds : tuple of float
        Wall and processor seconds by its own clock; empty if it does not say, the wall alone if it says no more.
    version : str
        What it calls itself; empty if it does not say.
    found : mapping of str to number or list of numbers
        The parameters that it searched, and ``n_fits``; empty without a search.
    """

    loadings: Array
    seconds: tuple[float, ...]
    version: str
    found: Mapping[str, float | list[float]]


class ProgramMethod(FunctionMethod):
    """A method that is a program of its own.

    A plugin derives a class that names the `command`; see ``plugins/README.md``.  The parameters of its constructor
    are passed on as ``name=value``, lists with commas, truth as 1 or 0; those that are None are left out.

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
        answer = run_program(command, X, self.options(), self.remedy)
        self.loadings_, self.program_ = answer.loadings, answer.version or Path(command[0]).name
        for name, seconds in zip(("fit_seconds_", "cpu_seconds_"), answer.seconds, strict=False):
            setattr(self, name, seconds)
        if answer.found:
            self.calibrated_params_ = {name: value for name, value in answer.found.items() if name != "n_fits"}
            self.n_fits_ = answer.found.get("n_fits", 1)
        return answer.loadings.T


def run_program(command: Sequence[str], X: Array, options: Mapping[str, object], remedy: str = "") -> Answer:
    """Run a program on samples.

    Parameters
    ----------
    command : sequence of str
        The program and its first arguments.
    X : ndarray of shape (n_samples, n_features)
        The samples.
    options : mapping
        Numbers, words, or lists of them.
    remedy : str
        What to do if the program is not here.

    Raises
    ------
    MethodUnavailable
        If there is no such program, or if it lacks a package.
    RuntimeError
        If it fails, or leaves no loadings.
    """
    advice = f"; {remedy}" if remedy else ""
    if shutil.which(command[0]) is None:
        raise MethodUnavailable(f"there is no program '{command[0]}' here{advice}")
    words = [f"{name}={_word(value)}" for name, value in options.items() if value is not None]
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
        loadings = _loadings(command[0], folder / "loadings")
        return Answer(loadings, _seconds(folder), _text(folder / "version"), _found(folder))


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
    except FileNotFoundError:
        message = f"{program} left no file 'loadings' in the folder that its first argument names"
        raise RuntimeError(message) from None
    except (OSError, ValueError) as error:
        raise RuntimeError(f"the file 'loadings' of {program} cannot be read: {error}") from error


def _seconds(folder: Path) -> tuple[float, ...]:
    text = _text(folder / "seconds")
    try:
        return tuple(map(float, text.split()[:2]))
    except ValueError:
        raise RuntimeError(f"the file 'seconds' is to have wall and processor seconds, and has: {text}") from None


def _found(folder: Path) -> dict[str, float | list[float]]:
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
