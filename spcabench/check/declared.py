"""Whether code takes what its specification declares."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from spcabench.check.script import Broken
from spcabench.importing import Unusable, resolve
from spcabench.parameters import Parameter, nearest

SET_BY_SUITE = {"n_components", "random_state"}
"""What a suite always sets, whatever the default."""


def imported(target: str, extra: str = "") -> Any:
    """Import what ``"module:attribute"`` names, or raise `Broken` with the reason."""
    try:
        return resolve(target)
    except Unusable as error:
        hint = f"; {extra}" if extra else ""
        raise Broken(f"{error}{hint}", _import(target)) from error


def check_function(target: str, declared: Mapping[str, Parameter], first: str = "") -> None:
    """Raise `Broken` unless a function takes the declared parameters after its first, which may have to have a name."""
    takes = dict(inspect.signature(imported(target)).parameters)
    check_taken(target, takes, [first] if first else [])
    takes.pop(first or next(iter(takes), ""), None)
    check_taken(target, takes, declared)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    for name in takes.keys() - {*declared}:
        if takes[name].default is inspect.Parameter.empty and takes[name].kind in named:
            words = f"it needs the parameter '{name}', which the specification does not declare"
            others = ", ".join(f"{other}=..." for other in takes if other != name)
            raise Broken(words, f"{_signature(target)}\nsignature.bind({others})")
    check_defaults(target, takes, declared, {})


def check_taken(target: str, takes: Mapping[str, inspect.Parameter], named: Iterable[str]) -> None:
    """Raise `Broken` if a signature lacks one of the parameters that it is to take."""
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in takes.values()):
        return
    for name in named:
        if name not in takes:
            words = f"it takes no parameter '{name}'{nearest(name, takes)}; it takes {', '.join(takes) or 'none'}"
            raise Broken(words, f"{_import(target)}\n{target.partition(':')[2]}({name}=...)")


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
