"""The verbs that say what there is: list, info and plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from spcabench.cli.shared import complete_name, registry_of
from spcabench.cli.terminal import show, table, warn
from spcabench.specs import Knob, MethodSpec, RemoteFile

if TYPE_CHECKING:
    from spcabench.specs import DatasetSpec, MetricSpec

CATALOGUES: dict[str, tuple[str, Callable[[Any], str], Callable[[Any], list[str]]]] = {
    "methods": ("method, family, knob", lambda spec: spec.family, lambda spec: [spec.family, spec.knob.kind]),
    "datasets": ("data set, provides", lambda spec: "", lambda spec: [", ".join(sorted(spec.provides))]),
    "metrics": ("metric, better", lambda spec: "", lambda spec: [spec.better]),
}
"""The first columns of each list, what it is sorted by before the name, and what a row has after the name."""


@click.command("list", epilog="Examples: spcabench list; spcabench list methods")
@click.argument("kind", type=click.Choice(["methods", "datasets", "metrics", "figures", "suites"]), required=False)
@click.pass_context
def list_verb(ctx: click.Context, kind: str | None) -> None:
    """List methods, data sets, metrics, figures or suites; all of these if none is named."""
    registry = registry_of(ctx)
    for number, one in enumerate([kind] if kind else [*CATALOGUES, "figures", "suites"]):
        if number:
            show()
        if one in CATALOGUES:
            columns, group, facts = CATALOGUES[one]
            found = getattr(registry, one)
            specs = sorted(found.specs.values(), key=lambda spec: (group(spec), spec.name))
            rows = [[spec.name, *facts(spec), spec.title, found.origins[spec.name]] for spec in specs]
            table(rows, [*columns.split(", "), "what", "from"])
        else:
            _figures() if one == "figures" else _suites()
    for fault in registry.faults:
        warn(str(fault))


def _figures() -> None:
    from spcabench.report.figures import FIGURES

    table([[name, figure.title] for name, figure in FIGURES.items()], ["figure", "what"])


def _suites() -> None:
    from spcabench.suite.yaml_source import read_suite, suite_files
    from spcabench.wording import InputError

    rows = []
    for name, file in sorted(suite_files().items()):
        try:
            suite = read_suite(str(file))
            rows.append([name, str(suite.data.get("title", "")), ", ".join(suite.scales)])
        except InputError:
            rows.append([name, f"cannot be read; see: spcabench plan {name} --check", ""])
    table(rows, ["suite", "what", "scales"])


@click.command("info", epilog="Examples: spcabench info rspca; spcabench info mnist; spcabench info cpev")
@click.argument("name", shell_complete=complete_name)
@click.pass_context
def info_verb(ctx: click.Context, name: str) -> None:
    """Describe NAME, a method, data set, metric or suite: its parameters, their defaults and valid values."""
    from spcabench.parameters import unknown_name
    from spcabench.suite.yaml_source import suite_files
    from spcabench.wording import InputError

    registry = registry_of(ctx)
    suites = suite_files()
    known = [*registry.methods, *registry.datasets, *registry.metrics, *suites]
    if name not in known:
        raise InputError(f"no method, data set, metric or suite '{name}'{unknown_name(name, known)}{registry.hint}")
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


@click.command("plugins", epilog="Example: spcabench --plugin my_method.py plugins")
@click.pass_context
def plugins_verb(ctx: click.Context) -> None:
    """List the plugins found, what each provides, and why any is broken."""
    rows = []
    for plugin in registry_of(ctx).plugins:
        provides = "; ".join(", ".join(names) for names in plugin.provides.values())
        rows.append([plugin.name, plugin.origin, f"BROKEN: {plugin.broken}" if plugin.broken else provides])
    table(rows, ["plugin", "from", "provides"])
