"""A script that a check runs line by line: where it fails, its lines are the example that shows the fault.

The script of a method is that of its `Trial` on one small problem.
"""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from spcabench import wording
from spcabench.importing import resolve
from spcabench.specs import Array, MethodSpec

STATE = "pickle.dumps((np.random.get_state(), random.getstate()))"
"""An expression for the states of the global random generators, after `SEEDED`."""
SEEDED = ("import pickle, random", "random.seed(97531)", "np.random.seed(97531)", f"state = {STATE}")
"""Lines that put the generators into a state which no other code puts them into, and keep it."""

SAMPLES = "np.random.default_rng(0).standard_normal(({n}, {d})) * np.arange({d}, 0, -1)"
"""Samples whose features differ in variance."""


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

    @property
    def example(self) -> str:
        """The lines so far."""
        return "\n".join(self._lines)


@dataclass(frozen=True)
class Trial:
    """A method and a problem.

    Parameters
    ----------
    spec : MethodSpec
        The method.
    new : callable
        ``new(**changes)`` makes an estimator.
    header : tuple of str
        The lines that define `new`.
    n_samples, n_features, n_components, n_nonzero : int
        The size of the problem.
    """

    spec: MethodSpec
    new: Callable[..., Any]
    header: tuple[str, ...]
    n_samples: int
    n_features: int
    n_components: int = 2
    n_nonzero: int = 2

    def script(self, *lines: str, data: str = "") -> Script:
        """Return a script that has ``np``, ``alike``, ``new``, and ``X``, the samples of the trial or other `data`."""
        names = {"np": np, "alike": alike, "new": self.new}
        script = Script(names, ("import numpy as np", "from spcabench.check.script import alike", *self.header))
        script.run(f"X = {data or SAMPLES.format(n=self.n_samples, d=self.n_features)}", *lines)
        return script

    @property
    def penalties(self) -> str:
        """Penalties from the lower bound of the knob to the upper one, or far past the size of the data."""
        knob = self.spec.knob
        if knob.high < np.inf:
            return f"np.linspace({knob.low!r}, {knob.high!r}, 100, endpoint=False)"
        return f"{knob.low!r} + np.append(0, 2.0 ** np.arange(-12, 12)) * np.abs(X).max() ** 2"

    @property
    def dense(self) -> str:
        """The change of parameters under which nothing is truncated, as the arguments of a call."""
        knob = self.spec.knob
        least = {"cardinality": self.n_features, "penalty": knob.low}
        return f"{knob.parameter}={least[knob.kind]}" if knob.kind in least else ""


def trial_of(spec: MethodSpec, n: int, d: int, r: int, k: int) -> Trial:
    """Return a registered method on a problem of n samples, d features, r components and k nonzeros."""
    cls = resolve(spec.estimator)
    module, _, name = spec.estimator.partition(":")
    seeded = {"random_state": 0} if "random_state" in inspect.signature(cls).parameters else {}
    sparsity = {spec.knob.parameter: k} if spec.knob.kind == "cardinality" else {}
    params: dict[str, object] = {"n_components": r, **seeded, **spec.params, **sparsity}
    made = f"def new(**changes):\n    return {name}(**{{**{params!r}, **changes}})"
    return Trial(
        spec, lambda **changes: cls(**{**params, **changes}), (f"from {module} import {name}", made), n, d, r, k
    )


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
