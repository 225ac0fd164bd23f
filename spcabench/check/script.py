"""A script that a check runs line by line: where it fails, its lines are the example that shows the fault."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from spcabench import wording
from spcabench.specs import Array

STATE = "pickle.dumps((np.random.get_state(), random.getstate()))"
"""An expression for the states of the global random generators, after `SEEDED`."""
SEEDED = ("import pickle, random", "random.seed(97531)", "np.random.seed(97531)", f"state = {STATE}")
"""Lines that put the generators into a state which no other code puts them into, and keep it."""


class Broken(AssertionError):
    """A promise is broken.

    Parameters
    ----------
    message : str
        What was found.
    example : str
        Python code that shows it, and ends in an error.
    """

    def __init__(self, message: str, example: str = "") -> None:
        super().__init__(f"{message}\n{example}" if example else message)
        self.message, self.example = message, example


class NotApplicable(Exception):
    """A promise says nothing of this subject; the message has the reason."""


class Script:
    """Lines of Python that share their names.

    Parameters
    ----------
    names : mapping
        What the lines may use.
    header : sequence of str
        The lines that define these names; they are kept and not run.
    """

    def __init__(self, names: Mapping[str, Any], header: Sequence[str] = ()) -> None:
        self.names = dict(names)
        self._lines = list(header)

    def run(self, *lines: str) -> None:
        """Run and keep statements.

        Raises
        ------
        Broken
            If one raises an error.
        """
        for line in lines:
            self._lines.append(line)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    exec(line, self.names)
            except (Exception, SystemExit) as error:
                found = f"{wording.in_a_line(wording.of_error(error))}{wording.place_of(error)}"
                raise Broken(found, self.example) from error

    def want(self, condition: str, message: str) -> None:
        """Raise `Broken` with a message unless a condition holds."""
        self.run(f"kept = bool({condition})")
        self._lines.pop()
        if not self.names["kept"]:
            self._lines.append(f"assert {condition}")
            raise Broken(message, self.example)

    def refuse(self, line: str, message: str) -> None:
        """Raise `Broken` with a message unless a statement raises an error; the line is kept in that case alone."""
        try:
            self.run(line)
        except Broken:
            self._lines.pop()
        else:
            self._lines.append('raise AssertionError("no error was raised")')
            raise Broken(message, self.example)

    @property
    def example(self) -> str:
        """The lines so far."""
        return "\n".join(self._lines)


def alike(V: Array, W: Array, atol: float = 1e-7) -> bool:
    """Return whether the rows of two arrays of loadings agree, each up to its sign."""
    if V.shape != W.shape:
        return False
    signs = np.where((V * W).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    return bool(np.allclose(signs * V, W, rtol=1e-7, atol=atol))


@contextmanager
def apart() -> Iterator[None]:
    """Hold BLAS to one thread, and restore the global random generators afterwards."""
    states = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        with threadpool_limits({"blas": 1}):
            yield
    finally:
        np.random.set_state(states[0])  # noqa: NPY002
        random.setstate(states[1])
