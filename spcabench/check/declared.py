"""Whether code takes what its specification declares."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from spcabench.check.script import Broken
from spcabench.parameters import Parameter, nearest
from spcabench.targets import Unusable, resolve

SET_BY_SUITE = {"n_components", "random_state"}
"""What a suite always sets, whatever the default."""


def imported(target: str, extra: str = "") -> Any:
    """Import what ``"module:attribute"`` names, or raise `Broken` with the reason."""
    module, _, attribute = target.partition(":")
    try:
        return resolve(target)
    except Unusable as error:
        hint = f"; {extra}" if extra else ""
        raise Broken(f"{error}{hint}", f"from {module} import {attribute}") from error


def check_taken(target: str, takes: Mapping[str, inspect.Parameter], named: Iterable[str]) -> None:
    """Raise `Broken` if a signature lacks one of the parameters that it is to take."""
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in takes.values()):
        return
    for name in named:
        if name not in takes:
            words = f"it takes no parameter '{name}'{nearest(name, takes)}; it takes {', '.join(takes) or 'none'}"
            raise Broken(words, f"{_import(target)}\n{_attribute(target)}({name}=...)")


def check_needed(target: str, takes: Mapping[str, inspect.Parameter], declared: Iterable[str]) -> None:
    """Raise `Broken` if a signature has a parameter without a default that is not declared."""
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    for name in takes.keys() - {*declared}:
        if takes[name].default is inspect.Parameter.empty and takes[name].kind in named:
            words = f"it needs the parameter '{name}', which the specification does not declare"
            others = ", ".join(f"{other}=..." for other in takes if other != name)
            raise Broken(words, f"{_signature(target)}\nsignature.bind({others})")


def check_defaults(
    target: str,
    takes: Mapping[str, inspect.Parameter],
    declared: Mapping[str, Parameter],
    fixed: Mapping[str, object],
) -> None:
    """Raise `Broken` if a declared default is not valid, or not that of the signature where it has one."""
    for name, parameter in declared.items():
        if name in SET_BY_SUITE:
            continue
        if not parameter.valid.accepts(parameter.default):
            words = f"the default of {name}, {parameter.default!r}, is not valid: it is to be {parameter.valid}"
            example = f"from spcabench.parameters import *\nassert {parameter.valid!r}.accepts({parameter.default!r})"
            raise Broken(words, example)
        own = takes[name].default if name in takes else inspect.Parameter.empty
        used = fixed.get(name, own)
        if used is not inspect.Parameter.empty and not _equal(used, parameter.default):
            words = f"the default of {name} is {used!r}, and it is declared as {parameter.default!r}"
            example = f"{_signature(target)}\nassert signature.parameters[{name!r}].default == {parameter.default!r}"
            raise Broken(words, example)


def _equal(one: object, other: object) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


def _signature(target: str) -> str:
    return f"import inspect\n{_import(target)}\nsignature = inspect.signature({_attribute(target)})"


def _import(target: str) -> str:
    return f"from {target.partition(':')[0]} import {_attribute(target)}"


def _attribute(target: str) -> str:
    return target.partition(":")[2]
