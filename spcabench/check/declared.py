"""Whether code can be imported, and takes what its specification declares: the promises that all kinds share."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from spcabench.check.script import Broken
from spcabench.importing import Unusable, resolve
from spcabench.specs import MethodSpec, Spec

SET_BY_SUITE = {"n_components", "random_state"}
"""What a suite always sets, whatever the default."""


def resolves(spec: Spec) -> None:
    """Import the code; of a method, look for its method fit.

    Its code can be imported; the class of a method has a method fit.
    """
    found, target = imported(spec), spec.target
    if isinstance(spec, MethodSpec) and not callable(getattr(found, "fit", None)):
        name = target.partition(":")[2]
        raise Broken(f"{target} has no method fit", f"{_import(target)}\nassert callable({name}.fit)")


def constructor(spec: MethodSpec) -> None:
    """Compare the constructor of a method with the declarations.

    Its constructor takes what the specification declares, with the same defaults.
    """
    named = ["n_components", *spec.parameters, *spec.params]
    named += filter(None, [spec.knob.parameter, spec.starts, spec.iterations, spec.tolerance])
    _check_taken(spec, named)
    _check_defaults(spec, spec.params)


def parameters(spec: Spec) -> None:
    """Compare what a function takes after its first argument with the declarations.

    Its function takes the declared parameters, and each default is a valid value.
    """
    _check_taken(spec, [*spec.parameters], [None])
    _check_defaults(spec, {})


def imported(spec: Spec) -> Any:
    """Import what a specification names, or raise `Broken` with the reason."""
    target, extra = spec.target, spec.extra if isinstance(spec, MethodSpec) else ""
    try:
        return resolve(target)
    except Unusable as error:
        hint = f"; {extra}" if extra else ""
        raise Broken(f"{error}{hint}", _import(target)) from error


def _check_taken(spec: Spec, named: Sequence[str], first: Sequence[None] = ()) -> None:
    """Raise `Broken` unless code can be called with some parameters by name, after some without one, and no others."""
    signature = inspect.signature(imported(spec))
    try:
        signature.bind(*first, **dict.fromkeys(named))
    except TypeError as error:
        call = ", ".join([*map(str, first), *(f"{name}=..." for name in dict.fromkeys(named))])
        words = f"what is declared does not fit its parameters: {error}; it takes {', '.join(signature.parameters)}"
        raise Broken(words, f"{_signature(spec)}\nsignature.bind({call})") from error


def _check_defaults(spec: Spec, fixed: Mapping[str, object]) -> None:
    """Raise `Broken` if a declared default is not valid, or not that of the signature where it has one."""
    takes = inspect.signature(imported(spec)).parameters
    for name, parameter in spec.parameters.items():
        if name in SET_BY_SUITE:
            continue
        wanted = parameter.default
        if not parameter.valid.accepts(wanted):
            words = f"the default of {name}, {wanted!r}, is not valid: it is to be {parameter.valid}"
            raise Broken(words, f"from spcabench.parameters import *\nassert {parameter.valid!r}.accepts({wanted!r})")
        own = takes[name].default if name in takes else inspect.Parameter.empty
        used = fixed.get(name, own)
        if used is not inspect.Parameter.empty and (type(used), repr(used)) != (type(wanted), repr(wanted)):
            words = f"the default of {name} is {used!r}, and it is declared as {wanted!r}"
            raise Broken(words, f"{_signature(spec)}\nassert signature.parameters[{name!r}].default == {wanted!r}")


def _import(target: str) -> str:
    module, _, attribute = target.partition(":")
    return f"from {module} import {attribute}"


def _signature(spec: Spec) -> str:
    target = spec.target
    return f"import inspect\n{_import(target)}\nsignature = inspect.signature({target.partition(':')[2]})"
