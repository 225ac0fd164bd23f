"""The verb list."""

from __future__ import annotations

import click

from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.cli.tables import table
from spcabench.cli.warn import warn

KINDS = ("methods", "datasets", "metrics", "figures", "suites")


@click.command("list", epilog="Examples: spcabench list; spcabench list methods")
@click.argument("kind", type=click.Choice(KINDS), required=False)
@click.pass_context
def command(ctx: click.Context, kind: str | None) -> None:
    """List methods, data sets, metrics, figures or suites; all of these if none is named."""
    for number, one in enumerate([kind] if kind else KINDS):
        if number:
            show()
        _LISTS[one](ctx)
    for fault in registry_of(ctx).faults:
        warn(str(fault))


def _methods(ctx: click.Context) -> None:
    methods = registry_of(ctx).methods
    rows = [[s.name, s.family, s.knob.kind, s.title, methods.origins[s.name]] for s in methods.specs.values()]
    table(sorted(rows, key=lambda row: (row[1], row[0])), ["method", "family", "knob", "what", "from"])


def _datasets(ctx: click.Context) -> None:
    datasets = registry_of(ctx).datasets
    rows = [[s.name, ", ".join(sorted(s.provides)), s.title, datasets.origins[s.name]] for s in datasets.specs.values()]
    table(sorted(rows), ["data set", "provides", "what", "from"])


def _metrics(ctx: click.Context) -> None:
    metrics = registry_of(ctx).metrics
    rows = [[s.name, s.better, s.title, metrics.origins[s.name]] for s in metrics.specs.values()]
    table(sorted(rows), ["metric", "better", "what", "from"])


def _figures(ctx: click.Context) -> None:
    from spcabench.report.figures import FIGURES

    table([[name, figure.title] for name, figure in FIGURES.items()], ["figure", "what"])


def _suites(ctx: click.Context) -> None:
    from spcabench.errors import InputError
    from spcabench.suite.load import suite_files
    from spcabench.suite.settings import scale_names
    from spcabench.suite.yaml_source import read_yaml

    rows = []
    for name, file in sorted(suite_files().items()):
        try:
            located = read_yaml(file.read_bytes(), str(file))
            title = located.data.get("title", "") if isinstance(located.data, dict) else ""
            rows.append([name, str(title), ", ".join(scale_names(located))])
        except InputError:
            rows.append([name, f"cannot be read; see: spcabench validate {name}", ""])
    table(rows, ["suite", "what", "scales"])


_LISTS = {
    "methods": _methods,
    "datasets": _datasets,
    "metrics": _metrics,
    "figures": _figures,
    "suites": _suites,
}
