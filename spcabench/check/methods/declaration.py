"""Whether a method is what its specification declares."""

from __future__ import annotations

import inspect

from spcabench.check.declared import check_defaults, check_taken, imported
from spcabench.check.script import Broken
from spcabench.specs import MethodSpec


def resolves(spec: MethodSpec) -> None:
    """Import the class, and look for its method fit."""
    cls = imported(spec.estimator, spec.extra)
    if not callable(getattr(cls, "fit", None)):
        module, _, name = spec.estimator.partition(":")
        example = f"from {module} import {name}\nassert callable({name}.fit)"
        raise Broken(f"{spec.estimator} has no method fit", example)


def constructor(spec: MethodSpec) -> None:
    """Compare the constructor with the declarations."""
    cls = imported(spec.estimator, spec.extra)
    takes = inspect.signature(cls).parameters
    named = ["n_components", *spec.parameters, *spec.params]
    named += filter(None, [spec.knob.parameter, spec.starts, spec.iterations, spec.tolerance])
    check_taken(spec.estimator, takes, named)
    check_defaults(spec.estimator, takes, spec.parameters, spec.params)
