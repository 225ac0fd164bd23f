"""The verb info."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from spcabench.cli.complete import complete_name
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.specs import Knob, MethodSpec

if TYPE_CHECKING:
    from spcabench.parameters import Parameter


@click.command("info", epilog="Examples: spcabench info rspca; spcabench info mnist; spcabench info cpev")
@click.argument("name", shell_complete=complete_name)
@click.pass_context
def command(ctx: click.Context, name: str) -> None:
    """Describe NAME, a method, data set, metric or suite: its parameters, their defaults and valid values."""
    from spcabench.errors import Fault, InputError
    from spcabench.parameters import unknown_name
    from spcabench.suite.calls import example_call
    from spcabench.suite.load import suite_files

    registry = registry_of(ctx)
    suites = suite_files()
    found = False
    for catalogue in (registry.methods, registry.datasets, registry.metrics):
        if name in catalogue:
            spec = catalogue.specs[name]
            show(f"{catalogue.kind} {name}, from {catalogue.origins[name]}")
            if reason := registry.unusable(spec):
                show(f"  BROKEN: {reason}")
            for attribute in spec.__dataclass_fields__:
                value = getattr(spec, attribute)
                if attribute not in ("name", "parameters") and value not in ("", None, {}, frozenset()):
                    show(f"  {attribute}: {_said(value)}")
            if isinstance(spec, MethodSpec):
                show(f"  in Python: {example_call(spec)}")
            _parameters(spec.parameters)
            found = True
    if name in suites:
        show(f"suite {name}: {suites[name].name}\n")
        show(suites[name].read_text(encoding="utf-8", errors="replace"))
        found = True
    if not found:
        known = [*registry.methods, *registry.datasets, *registry.metrics, *suites]
        raise InputError(
            Fault(f"no method, data set, metric or suite '{name}'{unknown_name(name, known)}{registry.hint}")
        )


def _said(value: object) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {one!r}" for name, one in value.items())
    if isinstance(value, Knob):
        return f"{value.kind}, the parameter {value.parameter}" if value.parameter else value.kind
    if isinstance(value, tuple):
        return f"from {value[0]:g} to {value[1]:g}"
    return str(value)


def _parameters(parameters: Mapping[str, Parameter]) -> None:
    from spcabench.parameters import in_yaml

    if parameters:
        show("  parameters:")
        for name, parameter in parameters.items():
            show(f"    {name} = {parameter.default!r}: {parameter.meaning} ({in_yaml(parameter.valid)})")
