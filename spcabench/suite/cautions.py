"""What a suite asks for that is well formed and still cannot be what its author wants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spcabench.plugins import Registry
from spcabench.suite.columns import On, column_of
from spcabench.suite.load import Loaded
from spcabench.suite.starts import MAIN

SAMPLES: Mapping[On, str] = {"clean": "clean samples", "test": "held-out samples"}
"""What a data set must have for a column that is evaluated on it."""

MOST_REASONS = 3
"""Reasons that a line has at most."""


def cautions(loaded: Loaded, registry: Registry) -> list[str]:
    """Return a line for each: data sets that nothing can be fitted to, starts and columns that can have no value."""
    return [*_unfitted(loaded), *_idle_starts(loaded), *_empty_columns(loaded, registry)]


def _unfitted(loaded: Loaded) -> Iterator[str]:
    """Yield the data sets all of whose cells are skipped, with the reasons."""
    reasons: dict[str, list[str]] = {}
    for cell in loaded.plan.cells:
        reasons.setdefault(cell.draw.variant.label, []).append(cell.skip)
    for dataset, found in reasons.items():
        if all(found):
            distinct = list(dict.fromkeys(found))
            more = f"; and {len(distinct) - MOST_REASONS} more reasons" if len(distinct) > MOST_REASONS else ""
            yield f"nothing will be fitted to {dataset}: {'; '.join(distinct[:MOST_REASONS])}{more}"


def _idle_starts(loaded: Loaded) -> Iterator[str]:
    """Report that a suite has several starts and no method that takes them."""
    if len(loaded.suite.starts) > 1 and all(cell.method.start in MAIN for cell in loaded.plan.cells):
        yield "starts has no effect: no method of this suite has a start left to choose"


def _empty_columns(loaded: Loaded, registry: Registry) -> Iterator[str]:
    """Yield the columns of the report that no metric fills, or whose samples no data set of the suite has."""
    facts = {fact for cell in loaded.plan.cells for fact in cell.draw.variant.spec.provides}
    for name in loaded.suite.report.columns:
        column = column_of(name, registry.metrics.specs)
        spec = registry.metrics[column.metric]
        if column.refitted and not spec.refitted:
            yield f"the column {name} will be empty: {column.metric} does not depend on the sizes of the loadings"
        elif column.on == "train":
            continue
        elif spec.on == "once":
            yield f"the column {name} will be empty: {column.metric} has one value for a fit, whatever the samples"
        elif column.on not in facts:
            yield f"the column {name} will be empty: no data set of this suite has {SAMPLES[column.on]}"
