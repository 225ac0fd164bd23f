"""The verb list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import registry_of
from spcabench.cli.terminal import show, table, warn

if TYPE_CHECKING:
    from spcabench.plugins import Registry


@click.command("list", epilog="Examples: spcabench list; spcabench list methods")
@click.argument("kind", type=click.Choice(["methods", "datasets", "metrics", "figures", "suites"]), required=False)
@click.pass_context
def command(ctx: click.Context, kind: str | None) -> None:
    """List methods, data sets, metrics, figures or suites; all of these if none is named."""
    registry = registry_of(ctx)
    for number, one in enumerate([kind] if kind else _LISTS):
        if number:
            show()
        _LISTS[one](registry)
    for fault in registry.faults:
        warn(str(fault))


def _methods(registry: Registry) -> None:
    found = registry.methods
    rows = [[s.name, s.family, s.knob.kind, s.title, found.origins[s.name]] for s in found.specs.values()]
    table(sorted(rows, key=lambda row: (row[1], row[0])), ["method", "family", "knob", "what", "from"])


def _datasets(registry: Registry) -> None:
    found = registry.datasets
    rows = [[s.name, ", ".join(sorted(s.provides)), s.title, found.origins[s.name]] for s in found.specs.values()]
    table(sorted(rows), ["data set", "provides", "what", "from"])


def _metrics(registry: Registry) -> None:
    found = registry.metrics
    rows = [[s.name, s.better, s.title, found.origins[s.name]] for s in found.specs.values()]
    table(sorted(rows), ["metric", "better", "what", "from"])


def _figures(registry: Registry) -> None:
    from spcabench.report.figures import FIGURES

    table([[name, figure.title] for name, figure in FIGURES.items()], ["figure", "what"])


def _suites(registry: Registry) -> None:
    from spcabench.suite.yaml_source import suite_files, title_and_scales
    from spcabench.wording import InputError

    rows = []
    for name, file in sorted(suite_files().items()):
        try:
            title, scales = title_and_scales(file)
            rows.append([name, title, ", ".join(scales)])
        except InputError:
            rows.append([name, f"cannot be read; see: spcabench plan {name} --check", ""])
    table(rows, ["suite", "what", "scales"])


_LISTS = {
    "methods": _methods,
    "datasets": _datasets,
    "metrics": _metrics,
    "figures": _figures,
    "suites": _suites,
}
