"""The Python that makes the estimator of a cell: a call of ``spcabench.make``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spcabench.specs import MethodSpec

TARGET = "n_nonzero"
"""What sets the nonzeros of a component in a call, whatever the estimator calls the parameter."""


def call_of(name: str, params: Mapping[str, Any]) -> str:
    """Return the call as text.

    Examples
    --------
    >>> call_of("rsvd_l0", {"n_components": 3, "n_nonzero": 4})
    "spcabench.make('rsvd_l0', n_components=3, n_nonzero=4)"
    """
    words = [repr(name), *(f"{parameter}={value!r}" for parameter, value in params.items())]
    return f"spcabench.make({', '.join(words)})"


def call_of_fit(
    spec: MethodSpec,
    params: Mapping[str, Any],
    n_components: int | None,
    n_nonzero: int | Sequence[int] | None,
    found: Mapping[str, Any] | None = None,
) -> str:
    """Return the call that makes the estimator of a fit, without what the name of the method fixes.

    Parameters
    ----------
    spec : MethodSpec
        The method.
    params : mapping
        The parameters that the suite set, and those that the method fixes.
    n_components : int, optional
        The components; None if the method takes no number of them.
    n_nonzero : int, sequence of int or None
        The target.
    found : mapping, optional
        What a search for the target found; used where the target cannot be set itself.
    """
    given: dict[str, Any] = {} if n_components is None else {"n_components": n_components}
    if n_nonzero is not None and spec.knob.kind == "cardinality":
        given[TARGET] = n_nonzero
    elif n_nonzero is not None:
        given |= found or {}
    own = {name: value for name, value in params.items() if name not in spec.params or spec.params[name] != value}
    return call_of(spec.name, {**given, **own})


def example_call(spec: MethodSpec) -> str:
    """Return a call with three components and, if the method takes a number of nonzeros, four of them."""
    knob = spec.knob
    declared = spec.parameters.get(knob.parameter)
    found = {knob.parameter: declared.default} if declared and knob.kind == "penalty" else {}
    return call_of_fit(spec, spec.params, 3 if takes_components(spec) else None, 4, found)


def takes_components(spec: MethodSpec) -> bool:
    """Return whether a method takes a number of components, as far as its declarations say."""
    return not spec.parameters or "n_components" in spec.parameters
