"""Whether code takes what its specification declares."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from spcabench.check.script import Broken
from spcabench.importing import Unusable, resolve
from spcabench.parameters import Parameter

SET_BY_SUITE = {"n_components", "random_state"}
"""What a suite always sets, whatever the default."""


def imported(target: str, extra: str = "") -> Any:
    """Import what ``"module:attribute"`` names, or raise `Broken` with the reason."""
    try:
        return resolve(target)
    except Unusable as error:
        hint = f"; {extra}" if extra else ""
        raise Broken(f"{error}{hint}", _import(target)) from error


def check_taken(target: str, named: Iterable[str], first: Sequence[None] = ()) -> None:
    """Raise `Broken` unless code can be called with some parameters by name, after some without one, and no others."""
    signature = inspect.signature(imported(target))
    given = dict.fromkeys(named)
    try:
        signature.bind(*first, **given)
    except TypeError as error:
        call = ", ".join([*map(str, first), *(f"{name}=..." for name in given)])
        words = f"what is declared does not fit its parameters: {error}; it takes {', '.join(signature.parameters)}"
        raise Broken(words, f"{_signature(target)}\nsignature.bind({call})") from error


def check_function(target: str, declared: Mapping[str, Parameter]) -> None:
    """Raise `Broken` unless a function takes the declared parameters after its first, with valid defaults."""
    check_taken(target, declared, [None])
    check_defaults(target, declared, {})


def check_defaults(
    target: str,
    declared: Mapping[str, Parameter],
    fixed: Mapping[str, object],
) -> None:
    """Raise `Broken` if a declared default is not valid, or not that of the signature where it has one."""
    takes = inspect.signature(imported(target)).parameters
    for name, parameter in declared.items():
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
            raise Broken(words, f"{_signature(target)}\nassert signature.parameters[{name!r}].default == {wanted!r}")


def _import(target: str) -> str:
    module, _, attribute = target.partition(":")
    return f"from {module} import {attribute}"


def _signature(target: str) -> str:
    return f"import inspect\n{_import(target)}\nsignature = inspect.signature({target.partition(':')[2]})"
