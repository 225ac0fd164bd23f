"""The estimator that the benchmark means by a name, and the Python that makes it: a call of ``spcabench.make``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spcabench.importing import Unusable, resolve
from spcabench.parameters import shown, unknown_name
from spcabench.plugins import load_registry, plugin_files
from spcabench.specs import MethodSpec
from spcabench.wording import InputError

TARGET = "n_nonzero"
"""What sets the nonzeros of a component in a call, whatever the estimator calls the parameter."""


def make(name: str, *, plugins: Sequence[str | Path] = (), **params: Any) -> Any:
    """Return the estimator that the benchmark means by a name, not fitted.

    Parameters
    ----------
    name : str
        A registered method; ``spcabench list methods`` lists them.
    plugins : sequence of str or Path
        Single-file plugins, where the method is from one; also those of ``SPCABENCH_PLUGINS``.
    **params
        Parameters of the estimator, beside those that the method fixes.  ``n_nonzero`` is the number of nonzeros of a
        component, for each method that can reach a number.  The estimator checks the values when it is fitted.

    Returns
    -------
    estimator
        By scikit-learn's conventions: clone it, put it into a pipeline, fit it.

    Raises
    ------
    InputError
        If there is no such method, if it has no such parameter, or if its estimator cannot be imported.

    Notes
    -----
    The name fixes more than the class.  ``rsvd_l0`` is `RSVD` with hard thresholds, and ``RSVD()`` alone has soft ones.

    Examples
    --------
    >>> import spcabench
    >>> spcabench.make("rsvd_l0", n_components=3, n_nonzero=4)
    RSVD(n_components=3, n_nonzero=4, penalty='l0')
    """
    spec = load_registry(plugin_files(list(map(str, plugins)))).methods[name]
    given = _by_parameter(spec, params)
    if spec.parameters:
        known = {*spec.parameters, *spec.params}
        for parameter in given:
            if parameter not in known:
                raise InputError(f"{name} has no parameter {shown(parameter)}{unknown_name(parameter, known)}")
    try:
        cls = resolve(spec.estimator)
    except Unusable as error:
        remedy = f"; {spec.extra}" if spec.extra else ""
        raise InputError(f"{name} cannot be made: {error}{remedy}") from error
    return cls(**{**spec.params, **given})


def _by_parameter(spec: MethodSpec, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters with the target under the name that the estimator has for it."""
    knob = spec.knob
    if TARGET not in params or TARGET in spec.parameters:
        return dict(params)
    if knob.kind == "cardinality":
        return {knob.parameter if name == TARGET else name: value for name, value in params.items()}
    if knob.kind == "penalty":
        raise InputError(
            f"{spec.name} cannot be told a number of nonzeros: its parameter {knob.parameter} sets the sparsity, and a "
            "run searches it; spcabench.search_penalty does the same"
        )
    raise InputError(f"{spec.name} has dense loadings and takes no {TARGET}")


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
    words = [repr(spec.name), *(f"{parameter}={value!r}" for parameter, value in {**given, **own}.items())]
    return f"spcabench.make({', '.join(words)})"


def example_call(spec: MethodSpec) -> str:
    """Return a call with three components and, if the method takes a number of nonzeros, four of them."""
    knob = spec.knob
    declared = spec.parameters.get(knob.parameter)
    found = {knob.parameter: declared.default} if declared and knob.kind == "penalty" else {}
    takes_components = not spec.parameters or "n_components" in spec.parameters
    return call_of_fit(spec, spec.params, 3 if takes_components else None, 4, found)
