"""The verb data: where the data sets come from, and fetching them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.shared import complete_name, registry_of
from spcabench.cli.terminal import complain, say, show, table

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.suite.variants import DatasetVariant


@click.group("data", epilog="Examples: spcabench data list; spcabench data fetch leaderboard")
def command() -> None:
    """List the data sets with their sources and licences, or fetch those that are not here."""


@command.command("list", epilog="Example: spcabench data list")
@click.pass_context
def list_(ctx: click.Context) -> None:
    """List what each data set is, its source, its licence, and whether it is here or where it comes from."""
    from spcabench.originals import whereabouts

    specs = sorted(registry_of(ctx).datasets.specs.values(), key=lambda spec: spec.name)
    rows = [[spec.name, spec.title, spec.source, spec.licence, whereabouts(spec)] for spec in specs]
    table(rows, ["data set", "what", "source", "licence", "where"])


@command.command(
    epilog="Examples: spcabench data fetch prostate; spcabench data fetch leaderboard.  "
    "Exit codes: 0 all are here, 1 some cannot be had, 2 there is no such data set or suite.",
)
@click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=complete_name)
@click.pass_context
def fetch(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Fetch the data sets that each NAME is, or that the suite NAME has, and read each once.

    What SPCABENCH_DATA has, and what was fetched before, is not fetched again: what was interrupted goes on so.
    """
    from spcabench.originals import whereabouts
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
    from spcabench.parameters import unknown_name
    from spcabench.suite.load import load_suite
    from spcabench.suite.variants import datasets_of, variant_of
    from spcabench.suite.yaml_source import suite_files
    from spcabench.wording import Fault, InputError

    if name in registry.datasets:
        return [variant_of(registry.datasets[name], {})]
    known = [*registry.datasets, *suite_files()]
    if name not in known and Path(name).suffix not in (".yaml", ".yml"):
        raise InputError(Fault(f"no data set or suite '{name}'{unknown_name(name, known)}{registry.hint}"))
    return datasets_of(load_suite(name, registry).suite, registry)
