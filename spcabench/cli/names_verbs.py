"""The verbs that say what there is, and fetch it: list, info, plugins and data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name, registry_of
from spcabench.cli.terminal import complain, say, show, table, warn
from spcabench.originals import whereabouts
from spcabench.parameters import unknown_name
from spcabench.specs import DatasetSpec, Knob, MethodSpec, MetricSpec, RemoteFile
from spcabench.suite.yaml_source import read_suite, suite_files
from spcabench.wording import Fault, InputError

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.suite.variants import DatasetVariant

COLUMNS = {"methods": ["family", "knob"], "datasets": ["provides"], "metrics": ["better"]}
"""What a list shows after the name; methods of a family stand together."""


@click.command("list", epilog="Examples: spcabench list; spcabench list methods")
@click.argument("kind", type=click.Choice(["methods", "datasets", "metrics", "figures", "suites"]), required=False)
@click.pass_context
def list_verb(ctx: click.Context, kind: str | None) -> None:
    """List methods, data sets, metrics, figures or suites; all of these if none is named."""
    registry = registry_of(ctx)
    for number, one in enumerate([kind] if kind else [*COLUMNS, "figures", "suites"]):
        if number:
            show()
        if one == "figures":
            from spcabench.report.figures import FIGURES

            table([[name, figure.title] for name, figure in FIGURES.items()], ["figure", "what"])
        elif one in COLUMNS:
            found = getattr(registry, one)
            specs = sorted(found.specs.values(), key=lambda spec: (getattr(spec, "family", ""), spec.name))
            rows = []
            for spec in specs:
                facts = (_said(getattr(spec, column)) for column in COLUMNS[one])
                rows.append([spec.name, *facts, spec.title, found.origins[spec.name]])
            table(rows, [found.kind, *COLUMNS[one], "what", "from"])
        else:
            _suites()
    for fault in registry.faults:
        warn(str(fault))


def _suites() -> None:
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
    if isinstance(value, Knob):
        return f"{value.kind}, the parameter {value.parameter}" if value.parameter else value.kind
    if isinstance(value, tuple):
        return ", ".join(part.url if isinstance(part, RemoteFile) else f"{part:g}" for part in value)
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


@click.group("data", epilog="Examples: spcabench data list; spcabench data fetch leaderboard")
def data_verb() -> None:
    """List the data sets with their sources and licences, or fetch those that are not here."""


@data_verb.command("list", epilog="Example: spcabench data list")
@click.pass_context
def list_(ctx: click.Context) -> None:
    """List what each data set is, its source, its licence, and whether it is here or where it comes from."""
    specs = sorted(registry_of(ctx).datasets.specs.values(), key=lambda spec: spec.name)
    rows = [[spec.name, spec.title, spec.source, spec.licence, whereabouts(spec)] for spec in specs]
    table(rows, ["data set", "what", "source", "licence", "where"])


@data_verb.command(
    epilog="Examples: spcabench data fetch prostate; spcabench data fetch leaderboard.  "
    "Exit codes: 0 all are here, 1 some cannot be had, 2 there is no such data set or suite.",
)
@click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=complete_name)
@click.pass_context
def fetch(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Fetch the data sets that each NAME is, or that the suite NAME has, and read each once.

    What SPCABENCH_DATA has, and what was fetched before, is not fetched again: what was interrupted goes on so.
    """
    from spcabench.run.dataset_store import trial_draw

    registry = registry_of(ctx)
    found = [variant for name in names for variant in _variants(name, registry)]
    wanted = {one.spec.name: one for one in reversed(found) if one.spec.place or one.spec.fetches}
    failed = 0
    for number, (name, variant) in enumerate(sorted(wanted.items()), start=1):
        say(f"{number} of {len(wanted)}  {name}: {whereabouts(variant.spec)}")
        reason = trial_draw(variant, 0).reason
        failed += bool(reason)
        show(f"{name}: {reason or whereabouts(variant.spec)}")
    if not wanted:
        show(f"nothing to fetch: {', '.join(names)} reads no file from elsewhere")
    if failed:
        complain(f"{failed} of {len(wanted)} data sets cannot be had, for the reasons above")
        ctx.exit(1)


def _variants(name: str, registry: Registry) -> Sequence[DatasetVariant]:
    """Return a data set with its defaults, or those of a suite at its default scale."""
    from spcabench.suite.load import load_suite
    from spcabench.suite.variants import datasets_of, variant_of

    if name in registry.datasets:
        return [variant_of(registry.datasets[name], {})]
    known = [*registry.datasets, *suite_files()]
    if name not in known and Path(name).suffix not in (".yaml", ".yml"):
        raise InputError(Fault(f"no data set or suite '{name}'{unknown_name(name, known)}{registry.hint}"))
    return datasets_of(load_suite(name, registry).suite, registry)
