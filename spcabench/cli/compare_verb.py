"""The verb compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from spcabench.cli.shared import complete_suite, registry_of
from spcabench.cli.terminal import show, table
from spcabench.report.find_run import existing_run, gathered

if TYPE_CHECKING:
    import pandas as pd

    from spcabench.report.compare import Comparison

MOST_ROWS = 40
"""Rows of a table on the terminal; the rest is counted."""

Forms = Mapping[str, Callable[[float], str]]
"""How the values of columns are written, by name."""


@click.command("compare", epilog="Example: spcabench compare reports/before reports/after")
@click.argument("run_a", metavar="RUN_A", shell_complete=complete_suite)
@click.argument("run_b", metavar="RUN_B", shell_complete=complete_suite)
@click.pass_context
def command(ctx: click.Context, run_a: str, run_b: str) -> None:
    """Show what changed from RUN_A to RUN_B (runs' folders, or their suites' names).

    Cells are paired by data set, method, components, nonzeros and seed.  A metric that differs by less than 1e-9
    of its size is unchanged; a time is called changed only if that is beyond noise, for all methods at once.
    """
    from spcabench.report.compare import compare
    from spcabench.wording import InputError

    registry = registry_of(ctx)
    a, b = (gathered(*existing_run(run, registry), registry) for run in (run_a, run_b))
    found = compare(a.frame, b.frame, b.values)
    if not found.n_pairs:
        raise InputError(f"{a.folder.path} and {b.folder.path} share no cell, so there is nothing to compare")
    show(f"A: {a.folder.path}\nB: {b.folder.path}")
    _environment(a.about, b.about)
    _cells(found)
    _metrics(found)
    _times(found, contended=any(bool((run.frame["contended"] == True).any()) for run in (a, b)))  # noqa: E712


def _environment(a: Mapping[str, Any], b: Mapping[str, Any]) -> None:
    names = [name for name in dict.fromkeys([*a, *b]) if a.get(name) != b.get(name)]
    if names:
        _heading("Environment")
        table([[name, a.get(name, "—"), b.get(name, "—")] for name in names], ["", "A", "B"], "pipe")


def _cells(found: Comparison) -> None:
    _heading("Cells")
    show(f"{found.n_pairs} in both runs, {found.n_compared} of them finished in both.")
    if len(found.unpaired):
        show()
        _table(found.unpaired.assign(only=found.unpaired["only"].str.upper()))
    if len(found.statuses):
        _heading("Statuses that changed")
        _table(found.statuses.rename(columns={"a": "A", "b": "B", "reason in b": "reason in B"}))


def _metrics(found: Comparison) -> None:
    from spcabench.report.render.text import number

    _heading("Metrics that changed")
    if found.metrics.empty:
        show(f"None, in {found.n_compared} cells.")
        return
    changed = found.metrics["changed"].astype(str) + " of " + found.metrics["seeds"].astype(str)
    shown = found.metrics.assign(changed=changed).drop(columns="seeds")
    shown = shown.rename(columns={"a": "A", "b": "B", "changed": "seeds changed"})
    _table(shown, dict.fromkeys(("A", "B", "difference", "largest"), number))


def _times(found: Comparison, contended: bool) -> None:
    from spcabench.report.render.text import duration

    _heading("Time of a fit, B over A")
    if found.times.empty:
        show("No cells to compare.")
        return
    if contended:
        show("Contended: other work shared the machine, so that the times say little.\n")
    names = {"time a": "A", "time b": "B"}
    forms: Forms = {"A": duration, "B": duration, **dict.fromkeys(("ratio", "low", "high", "least", "most"), _ratio)}
    _table(found.times.rename(columns=names), forms)
    show("\nratio: the median over the pairs, between low and high with 95 % for all rows at once.")
    local = found.times_by_dataset[found.times_by_dataset["verdict"].isin(["slower", "faster"])]
    if len(local) and found.times_by_dataset["dataset"].nunique() > 1:
        _heading("Where it changed")
        _table(local.rename(columns=names), forms)


def _ratio(value: float) -> str:
    return {0.0: "0", float("inf"): "∞"}.get(value, f"{value:.3f}")


def _heading(text: str) -> None:
    show(f"\n## {text}\n")


def _table(frame: pd.DataFrame, forms: Forms | None = None) -> None:
    """Print the first rows of a frame."""
    known = forms or {}
    rows = [
        [known.get(str(name), str)(value) for name, value in row.items()]
        for row in frame.head(MOST_ROWS).to_dict("records")
    ]
    table(rows, [str(name) for name in frame.columns], "pipe")
    if len(frame) > MOST_ROWS:
        show(f"and {len(frame) - MOST_ROWS} more")
