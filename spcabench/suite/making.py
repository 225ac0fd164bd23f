"""The estimator that the benchmark means by a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spcabench.importing import Unusable, resolve
from spcabench.parameters import shown, unknown_name
from spcabench.plugins import load_registry, plugin_files
from spcabench.specs import MethodSpec
from spcabench.suite.calls import TARGET
from spcabench.wording import InputError


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
