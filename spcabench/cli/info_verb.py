"""The verb info."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name, files_of, registry_of
from spcabench.cli.terminal import show, table
from spcabench.specs import Knob, MethodSpec, RemoteFile

if TYPE_CHECKING:
    from spcabench.specs import DatasetSpec, MetricSpec


def _print_environment(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the machine and the versions and end."""
    if not wanted:
        return
    from spcabench.run.environment import describe, pools

    registry_of(ctx)  # reports what is wrong with a plugin file
    here = describe(files_of(ctx))
    threads = {f"threads of {pool}": f"{count}; a fit has as many as its suite says" for pool, count in pools().items()}
    table(list({**here, **threads}.items()), ["what", "here"])
    ctx.exit()


@click.command(
    "info",
    epilog="Examples: spcabench info rspca; spcabench info mnist; spcabench info cpev; spcabench info --env",
)
@click.argument("name", shell_complete=complete_name)
@click.option(
    "--env",
    is_flag=True,
    expose_value=False,
    callback=_print_environment,
    help="Describe this machine, and the versions of Python and the libraries that a run uses.",
)
@click.pass_context
def command(ctx: click.Context, name: str) -> None:
    """Describe NAME, a method, data set, metric or suite: its parameters, their defaults and valid values."""
    from spcabench.parameters import unknown_name
    from spcabench.suite.yaml_source import suite_files
    from spcabench.wording import Fault, InputError

    registry = registry_of(ctx)
    suites = suite_files()
    known = [*registry.methods, *registry.datasets, *registry.metrics, *suites]
    if name not in known:
        words = f"no method, data set, metric or suite '{name}'{unknown_name(name, known)}{registry.hint}"
        raise InputError(Fault(words))
    for catalogue in registry.catalogues:
        if name in catalogue:
            show(f"{catalogue.kind} {name}, from {catalogue.origins[name]}")
            _describe(catalogue.specs[name])
    if name in suites:
        show(f"suite {name}: {suites[name].name}\n")
        show(suites[name].read_text(encoding="utf-8", errors="replace"))


def _describe(spec: MethodSpec | DatasetSpec | MetricSpec) -> None:
    """Show a specification."""
    from spcabench.suite.making import example_call

    for attribute in spec.__dataclass_fields__:
        value = getattr(spec, attribute)
        if attribute not in ("name", "parameters") and value not in ("", None, {}, (), frozenset()):
            show(f"  {attribute}: {_said(value)}")
    if isinstance(spec, MethodSpec):
        show(f"  in Python: {example_call(spec)}")
    if spec.parameters:
        show("  parameters:")
    for name, parameter in spec.parameters.items():
        default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
        show(f"    {name} = {default!r}: {parameter.meaning} ({parameter.valid})")


def _said(value: object) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {one!r}" for name, one in value.items())
    if isinstance(value, Knob):
        return f"{value.kind}, the parameter {value.parameter}" if value.parameter else value.kind
    if isinstance(value, tuple) and isinstance(value[0], RemoteFile):
        return ", ".join(file.url for file in value)
    if isinstance(value, tuple):
        return f"from {value[0]:g} to {value[1]:g}"
    return str(value)
