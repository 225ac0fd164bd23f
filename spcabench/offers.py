"""What a hook returned: whether it is a list of specifications that can be used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from spcabench import promises
from spcabench.class_parameters import ClassParameters
from spcabench.parameters import Parameter, unknown_name
from spcabench.specs import FACTS, DatasetSpec, MethodSpec, MetricSpec

Spec = MethodSpec | DatasetSpec | MetricSpec

_PROMISES: dict[type[Spec], Mapping[str, str]] = {
    MethodSpec: promises.METHOD,
    DatasetSpec: promises.DATASET,
    MetricSpec: promises.METRIC,
}


class Nonsense(Exception):
    """A hook returned something that cannot be used."""


def checked_offer(result: Any, kind: type[Spec], found: Mapping[str, Any], origins: Mapping[str, str]) -> list[Any]:
    """Return the specifications in a hook's result, or raise an error that names what is wrong."""
    if not isinstance(result, list | tuple):
        raise Nonsense(f"returned {type(result).__name__} where a list of {kind.__name__} is wanted")
    names: set[str] = set()
    for spec in result:
        if not isinstance(spec, kind):
            raise Nonsense(f"returned {type(spec).__name__} where {kind.__name__} is wanted")
        fault = _spec_fault(spec)
        if fault:
            raise Nonsense(f"{kind.__name__} {getattr(spec, 'name', '')!r}: {fault}")
        if spec.name in names:
            raise Nonsense(f"uses the name '{spec.name}' twice")
        if spec.name in found:
            raise Nonsense(f"the name '{spec.name}' is taken by {origins[spec.name]}")
        names.add(spec.name)
    return list(result)


def target_of(spec: Spec) -> str:
    """Return the ``"module:attribute"`` of a specification."""
    if isinstance(spec, MethodSpec):
        return spec.estimator
    return spec.load if isinstance(spec, DatasetSpec) else spec.compute


def _spec_fault(spec: Spec) -> str:
    if not isinstance(spec.name, str) or not re.fullmatch("[a-z][a-z0-9_]*", spec.name):
        return "a name is lower case letters, digits and underscores"
    target = target_of(spec)
    if not isinstance(target, str) or target.count(":") != 1 or not all(target.split(":")):
        return f"'module:attribute' is wanted, not {target!r}"
    facts = spec.provides if isinstance(spec, DatasetSpec) else spec.requires
    unknown = sorted(set(facts) - set(FACTS))
    if unknown:
        return f"unknown fact '{unknown[0]}'{unknown_name(unknown[0], FACTS)}"
    known = _PROMISES[type(spec)]
    strange = sorted(set(spec.exempt) - set(known))
    if strange:
        return f"unknown promise '{strange[0]}' in exempt{unknown_name(strange[0], known)}"
    declared = spec.parameters
    if isinstance(declared, ClassParameters):
        return ""
    if not isinstance(declared, Mapping) or not all(isinstance(p, Parameter) for p in declared.values()):
        return "parameters is not a mapping of names to Parameter"
    return ""
