"""A method on one small problem."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spcabench.check.script import Script, alike
from spcabench.importing import resolve
from spcabench.specs import MethodSpec

SAMPLES = "np.random.default_rng(0).standard_normal(({n}, {d})) * np.arange({d}, 0, -1)"
"""Samples whose features differ in variance."""


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
    data : str
        An expression for the samples.
    names : mapping
        What this expression uses beside ``np``.
    """

    spec: MethodSpec
    new: Callable[..., Any]
    header: tuple[str, ...]
    n_samples: int
    n_features: int
    n_components: int = 2
    n_nonzero: int = 2
    data: str = ""
    names: Mapping[str, Any] = field(default_factory=dict)

    def script(self, *lines: str, data: str = "") -> Script:
        """Return a script that has ``np``, ``alike``, ``new``, and ``X``, the samples of the trial or other `data`."""
        names = {"np": np, "alike": alike, "new": self.new, **self.names}
        script = Script(names, ("import numpy as np", "from spcabench.check.script import alike", *self.header))
        script.run(f"X = {data or self.data or SAMPLES.format(n=self.n_samples, d=self.n_features)}", *lines)
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
