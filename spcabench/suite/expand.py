"""Entries of a suite -> methods and data sets with every parameter settled, and what is wrong with its names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from spcabench.parameters import missing_files, nearest, parameter_faults, shown, unknown_name
from spcabench.plugins import Catalogue, Registry
from spcabench.specs import DatasetSpec, Environment, MethodSpec
from spcabench.suite.columns import column_of, empty
from spcabench.suite.models import DatasetEntry, MethodEntry, Suite
from spcabench.suite.published import Published
from spcabench.suite.values import MAIN
from spcabench.suite.variants import MAX_VARIANTS, DatasetVariant, Faults, MethodVariant, Path, spread

Entry = TypeVar("Entry", MethodEntry, DatasetEntry)
Variant = TypeVar("Variant", MethodVariant, DatasetVariant)
S = TypeVar("S", MethodSpec, DatasetSpec)

MOST_LISTED = 10
"""How many repeated labels are listed; the rest is only counted."""


def expand(suite: Suite, registry: Registry) -> tuple[list[MethodVariant], list[DatasetVariant], Faults]:
    """Settle names, parameters and grids of a suite.

    Parameters
    ----------
    suite : Suite
        With None for each entry that has been found faulty already.
    registry : Registry
        What names are looked up in.

    Returns
    -------
    methods, datasets : lists
        Labels are unique; a method that has a start is there from each start of the suite.
    faults : list of (path, message)
        Everything that is wrong; if there is any, the lists are not to be used.
    """
    faults: Faults = []
    settled = _settled("methods", suite.methods, partial(_methods, registry), faults)
    methods = [variant for method in settled for variant in method.from_each(suite.starts)]
    datasets = _settled("datasets", suite.datasets, partial(_datasets, registry), faults)
    labels = {"method": [m.label for m in methods if m.start in MAIN], "data set": [d.label for d in datasets]}
    faults += _repeated("methods", [m.label for m in methods])
    faults += _repeated("datasets", labels["data set"])
    faults += _metric_faults(suite, registry)
    for kind, name, path in _references(suite):
        if kind == "column":
            message = _unknown_metric(name, suite, registry)
        else:
            message = _unknown_label(kind, name, labels[kind], suite, registry)
        if message:
            faults.append((path, message))
    return methods, datasets, faults


def level_faults(suite: Suite) -> Faults:
    """Report the levels that have a list of numbers, but not one number per component."""
    r = suite.n_components
    of_datasets = [(entry.n_nonzero, entry.n_components or [r]) for entry in suite.datasets]
    inherited = {r}.union(*(counts for levels, counts in of_datasets if not levels))
    lists: list[tuple[Path, Sequence[int | Sequence[int]], Iterable[int]]] = [
        (("n_nonzero",), suite.n_nonzero, inherited),
        *((("datasets", i, "n_nonzero"), levels, counts) for i, (levels, counts) in enumerate(of_datasets)),
    ]
    return [
        ((*path, i), f"{shown(level)} has {len(level)} numbers; valid are {n}, one per component")
        for path, levels, counts in lists
        for i, level in enumerate(levels)
        for n in sorted(counts)
        if not isinstance(level, int) and len(level) != n
    ]


def file_faults(suite: Suite, registry: Registry) -> Faults:
    """Report the files that data sets name and that do not exist; a data set with a stand-in does not need them."""
    return [
        (("datasets", i, "params", name), message)
        for i, entry in enumerate(suite.datasets)
        if entry.stand_in is None and not entry.optional
        for name, message in missing_files(entry.params, registry.datasets[entry.name].parameters)
    ]


def _settled(
    kind: str, entries: Sequence[Entry | None], settle: Callable[[Entry, Path, Faults], list[Variant]], faults: Faults
) -> list[Variant]:
    """Return the variants of all valid entries; stop when there are more than a suite may have."""
    variants: list[Variant] = []
    for i, entry in enumerate(entries):
        if entry is not None:
            variants += settle(entry, (kind, i), faults)
        if len(variants) > MAX_VARIANTS:
            faults.append(((kind, i), f"{kind}: {len(variants)} up to here; valid is up to {MAX_VARIANTS}"))
            break
    return variants


def _methods(registry: Registry, entry: MethodEntry, path: Path, faults: Faults) -> list[MethodVariant]:
    spec = _known(registry, registry.methods, entry.name, path, faults)
    if spec is None:
        return []
    knob = spec.knob.parameter
    set_by_suite = {"n_components", "random_state", knob if entry.sparsity == "target" else ""}
    for name in sorted(set_by_suite & set(entry.params)):
        hint = "; say 'sparsity: own' to set it here" if name == knob else ""
        faults.append(((*path, "params", name), f"{name} is set by the suite, not by a method's params{hint}"))
    params = {name: value for name, value in entry.params.items() if name not in set_by_suite}
    variants = spread(params, spec.parameters, (*path, "params"), faults)
    if entry.environment is not None:
        place = Environment(tuple(entry.environment.requirements), entry.environment.python)
        spec = replace(spec, environment=place)
    label, own, note = entry.label or entry.name, entry.sparsity == "own", entry.note or ""
    return [
        MethodVariant(label + suffix, spec, {**spec.params, **params}, own, note=note) for params, suffix in variants
    ]


def _datasets(registry: Registry, entry: DatasetEntry, path: Path, faults: Faults) -> list[DatasetVariant]:
    spec = _known(registry, registry.datasets, entry.name, path, faults)
    if spec is None:
        return []
    stand_in = _stand_in(registry, entry, (*path, "stand_in"), faults)
    return [
        DatasetVariant(
            (entry.label or entry.name) + suffix,
            spec,
            {**_defaults(spec), **params},
            entry.preprocess,
            stand_in,
            entry.n_nonzero,
            entry.n_components,
            entry.seeds,
            entry.optional,
        )
        for params, suffix in spread(entry.params, spec.parameters, (*path, "params"), faults)
    ]


def _stand_in(registry: Registry, entry: DatasetEntry, path: Path, faults: Faults) -> DatasetVariant | None:
    if entry.stand_in is None:
        return None
    name, params = entry.stand_in.name, entry.stand_in.params
    spec = _known(registry, registry.datasets, name, path, faults)
    if spec is None:
        return None
    found = parameter_faults(params, spec.parameters)
    faults.extend(((*path, "params", key), message) for key, message in found)
    return DatasetVariant(name, spec, {**_defaults(spec), **params}, entry.preprocess)


def _defaults(spec: DatasetSpec) -> dict[str, Any]:
    return {name: parameter.default for name, parameter in spec.parameters.items()}


def _known(registry: Registry, catalogue: Catalogue[S], name: str, path: Path, faults: Faults) -> S | None:
    """Look up a name; report one that is not known, or whose code cannot be there.

    If no known name is similar, it may belong to a plugin that was not loaded.
    """
    if name in catalogue:
        if reason := registry.unusable(catalogue[name]):
            faults.append(((*path, "name"), reason))
        return catalogue[name]
    hint = "" if nearest(name, catalogue) else "; load your own with --plugin FILE"
    message = f"unknown {catalogue.kind} {shown(name)}{unknown_name(name, catalogue)}{hint}{registry.hint}"
    faults.append(((*path, "name"), message))
    return None


def _repeated(kind: str, labels: Sequence[str]) -> Faults:
    """Report labels that occur more than once."""
    repeated = [(label, count) for label, count in Counter(labels).items() if count > 1]
    messages = [
        f"the label {shown(label)} occurs {count} times; choose distinct labels by 'label'"
        for label, count in repeated[:MOST_LISTED]
    ]
    if len(repeated) > MOST_LISTED:
        messages.append(f"{len(repeated) - MOST_LISTED} more labels occur more than once")
    return [((kind,), f"{kind}: {message}") for message in messages]


def _metric_faults(suite: Suite, registry: Registry) -> Faults:
    """Report metrics that are not known or occur twice, and their parameters."""
    faults: Faults = []
    seen: set[str] = set()
    for i, entry in enumerate(suite.metrics):
        if entry is None:
            continue
        path: Path = ("metrics", i)
        if entry.name not in registry.metrics:
            faults.append(((*path, "name"), _unknown_entry(entry.name, registry)))
            continue
        if entry.name in seen:
            faults.append((path, f"the metric '{entry.name}' occurs twice"))
        seen.add(entry.name)
        found = parameter_faults(entry.params, registry.metrics[entry.name].parameters)
        faults.extend(((*path, "params", name), message) for name, message in found)
    return faults


def _unknown_entry(name: str, registry: Registry) -> str:
    """Report an unknown metric; one with an aspect, such as ``cpev_test``, is a column of the metric without it."""
    column = column_of(name, registry.metrics.specs)
    if column.metric not in registry.metrics or column.metric == name:
        return f"unknown metric {shown(name)}{unknown_name(name, registry.metrics)}"
    if reason := empty(column, registry.metrics[column.metric]):
        return f"{shown(name)} does not exist: {reason}"
    return (
        f"{shown(name)} is a column of the metric '{column.metric}', not a metric; ask for '{column.metric}', "
        "and choose columns in report.columns"
    )


def _references(suite: Suite) -> Iterator[tuple[str, str, Path]]:
    """Yield what the report, the tracks and the published tables refer to: its kind, its name and its place.

    In a track the label of an entry stands for all variants of its grid.
    """
    entries = {entry.label or entry.name for entry in suite.datasets if entry is not None}
    for i, column in enumerate(suite.report.columns):
        yield "column", column, ("report", "columns", i)
    for i, label in enumerate(suite.report.emphasis):
        yield "method", label, ("report", "emphasis", i)
    for i, track in enumerate(suite.tracks):
        yield "column", track.metric, ("tracks", i, "metric")
        for j, label in enumerate(track.datasets):
            if label not in entries:
                yield "data set", label, ("tracks", i, "datasets", j)
    for i, block in enumerate(suite.published):
        if block is not None:
            yield from _published_references(block, ("published", i))


def _published_references(block: Published, path: Path) -> Iterator[tuple[str, str, Path]]:
    if block.dataset is not None:
        yield "data set", block.dataset, (*path, "dataset")
    for j, row in enumerate(block.rows):
        yield "method", row.method, (*path, "rows", j, "method")
        if row.minus is not None:
            yield "method", row.minus, (*path, "rows", j, "minus")
        for column in row.metrics:
            yield "column", column, (*path, "rows", j, "metrics", column)


def _unknown_metric(column: str, suite: Suite, registry: Registry) -> str:
    """Return the fault of a column whose metric the suite does not have, or nothing."""
    metric = column_of(column, registry.metrics.specs).metric
    metrics = [entry.name for entry in suite.metrics if entry is not None]
    if metric in metrics or None in suite.metrics:
        return ""
    valid = [name for name in metrics if name in registry.metrics]
    return f"the suite has no metric {shown(metric)}{unknown_name(metric, valid)}"


def _unknown_label(kind: str, label: str, labels: Sequence[str], suite: Suite, registry: Registry) -> str:
    """Return the fault of a label that no entry of the suite has; nothing if it may be of an entry that is at fault."""
    entries: Sequence[MethodEntry | DatasetEntry] = suite.methods if kind == "method" else suite.datasets
    catalogue: Container[str] = registry.methods if kind == "method" else registry.datasets
    unknown = [entry.label or entry.name for entry in entries if entry is not None and entry.name not in catalogue]
    unsettled = None in entries or any(label == stem or label.startswith(f"{stem}(") for stem in unknown)
    if label in labels or unsettled:
        return ""
    return f"no {kind} of this suite is labelled {shown(label)}{unknown_name(label, labels)}"
