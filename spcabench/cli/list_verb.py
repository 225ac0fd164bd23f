"""The verb list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from spcabench.cli.shared import registry_of
from spcabench.cli.terminal import show, table, warn

CATALOGUES: dict[str, tuple[str, Callable[[Any], str], Callable[[Any], list[str]]]] = {
    "methods": ("method, family, knob", lambda spec: spec.family, lambda spec: [spec.family, spec.knob.kind]),
    "datasets": ("data set, provides", lambda spec: "", lambda spec: [", ".join(sorted(spec.provides))]),
    "metrics": ("metric, better", lambda spec: "", lambda spec: [spec.better]),
}
"""The first columns of each list, what it is sorted by before the name, and what a row has after the name."""


@click.command("list", epilog="Examples: spcabench list; spcabench list methods")
@click.argument("kind", type=click.Choice(["methods", "datasets", "metrics", "figures", "suites"]), required=False)
@click.pass_context
def command(ctx: click.Context, kind: str | None) -> None:
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
