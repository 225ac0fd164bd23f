"""Entries of a suite -> methods, data sets and metrics with every parameter settled: the grids spread out."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from spcabench.offers import Spec
from spcabench.parameters import Parameter, in_yaml, missing_files, nearest, parameter_faults, shown, unknown_name
from spcabench.plugins import Registry
from spcabench.suite.columns import column_of
from spcabench.suite.models import DatasetEntry, MethodEntry, StandIn, Suite
from spcabench.suite.ranges import is_range, range_values
from spcabench.suite.starts import MAIN
from spcabench.suite.variants import DatasetVariant, MethodVariant

MAX_VARIANTS = 10_000
MOST_LISTED = 10
"""How many repeated labels are listed; the rest is only counted."""

Path = tuple[str | int, ...]
Faults = list[tuple[Path, str]]
Entry = TypeVar("Entry", MethodEntry, DatasetEntry)
Variant = TypeVar("Variant")


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
    settled = _settled(suite.methods, "methods", _methods, registry, faults)
    methods = [variant for method in settled for variant in method.from_each(suite.starts)]
    datasets = _settled(suite.datasets, "datasets", _datasets, registry, faults)
    _distinct([m.label for m in methods], "methods", faults)
    _distinct([d.label for d in datasets], "datasets", faults)
    _check_metrics(suite, registry, faults)
    _check_report(suite, registry, [m.label for m in methods if m.start in MAIN], [d.label for d in datasets], faults)
    return methods, datasets, faults


def level_faults(suite: Suite) -> Faults:
    """Report the levels that have a list of numbers, but not one number per component."""
    r = suite.n_components
    numbers = [(entry.n_nonzero, entry.n_components or [r]) for entry in suite.datasets]
    inherit = {n for levels, own in numbers if not levels for n in own} or {r}
    lists: list[tuple[Path, Sequence[int | Sequence[int]], Iterable[int]]] = [
        (("n_nonzero",), suite.n_nonzero, inherit)
    ]
    lists += [(("datasets", i, "n_nonzero"), levels, own) for i, (levels, own) in enumerate(numbers)]
    return [
        (
            (*path, i),
            f"{shown(level)} has {len(level)} numbers; valid are {n}, one per component",
        )
        for path, levels, wanted in lists
        for i, level in enumerate(levels)
        for n in sorted(wanted)
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
    entries: Sequence[Entry | None],
    kind: str,
    settle: Callable[[Entry, Registry, Path, Faults], list[Variant]],
    registry: Registry,
    faults: Faults,
) -> list[Variant]:
    """Return the variants of all valid entries; stop when there are more than a suite may have."""
    variants: list[Variant] = []
    for i, entry in enumerate(entries):
        if entry is not None:
            variants += settle(entry, registry, (kind, i), faults)
        if len(variants) > MAX_VARIANTS:
            faults.append(((kind, i), f"{kind}: {len(variants)} up to here; valid is up to {MAX_VARIANTS}"))
            break
    return variants


def _methods(entry: MethodEntry, registry: Registry, path: Path, faults: Faults) -> list[MethodVariant]:
    if entry.name not in registry.methods:
        faults.append(((*path, "name"), _unknown("method", entry.name, registry.methods) + registry.hint))
        return []
    spec = registry.methods[entry.name]
    _check_usable(spec, registry, path, faults)
    knob = spec.knob.parameter
    set_by_suite = {"n_components", "random_state", knob if entry.sparsity == "target" else ""}
    for name in sorted(set_by_suite & set(entry.params)):
        hint = "; say 'sparsity: own' to set it here" if name == knob else ""
        faults.append(((*path, "params", name), f"{name} is set by the suite, not by a method's params{hint}"))
    params = {name: value for name, value in entry.params.items() if name not in set_by_suite}
    variants = spread(params, spec.parameters, (*path, "params"), faults)
    own, note = entry.sparsity == "own", entry.note or ""
    return [
        MethodVariant((entry.label or entry.name) + suffix, spec, {**spec.params, **params}, own, note=note)
        for params, suffix in variants
    ]


def _check_usable(spec: Spec, registry: Registry, path: Path, faults: Faults) -> None:
    reason = registry.unusable(spec)
    if reason:
        faults.append(((*path, "name"), reason))


def _unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Report an unknown name; if no known name is similar, it may belong to a plugin that was not loaded."""
    hint = "" if nearest(name, known) else "; load your own with --plugin FILE"
    return f"unknown {kind} {shown(name)}{unknown_name(name, known)}{hint}"


def _datasets(entry: DatasetEntry, registry: Registry, path: Path, faults: Faults) -> list[DatasetVariant]:
    if entry.name not in registry.datasets:
        faults.append(((*path, "name"), _unknown("data set", entry.name, registry.datasets) + registry.hint))
        return []
    spec = registry.datasets[entry.name]
    _check_usable(spec, registry, path, faults)
    stand_in = _stand_in(entry.stand_in, entry, registry, (*path, "stand_in"), faults) if entry.stand_in else None
    variants = spread(entry.params, spec.parameters, (*path, "params"), faults)
    label = entry.label or entry.name
    return [
        DatasetVariant(
            label + suffix,
            spec,
            _with_defaults(params, spec.parameters),
            entry.preprocess,
            stand_in,
            entry.n_nonzero,
            entry.n_components,
            entry.seeds,
            entry.optional,
        )
        for params, suffix in variants
    ]


def _stand_in(
    stand_in: StandIn, entry: DatasetEntry, registry: Registry, path: Path, faults: Faults
) -> DatasetVariant | None:
    if stand_in.name not in registry.datasets:
        message = f"unknown data set {shown(stand_in.name)}{unknown_name(stand_in.name, registry.datasets)}"
        faults.append(((*path, "name"), message))
        return None
    spec = registry.datasets[stand_in.name]
    found = parameter_faults(stand_in.params, spec.parameters, in_yaml)
    faults.extend(((*path, "params", name), message) for name, message in found)
    params = _with_defaults(stand_in.params, spec.parameters)
    return DatasetVariant(stand_in.name, spec, params, entry.preprocess)


def _with_defaults(params: Mapping[str, Any], declared: Mapping[str, Parameter]) -> dict[str, Any]:
    return {**{name: p.default for name, p in declared.items()}, **params}


def spread(
    params: Mapping[str, Any], declared: Mapping[str, Parameter], path: Path, faults: Faults
) -> list[tuple[dict[str, Any], str]]:
    """Spread lists and ranges of values into one variant per combination.

    A list or a mapping that is a valid value of the parameter is one value; any other list, and any other mapping
    that is a range, is an axis of the grid.

    Returns
    -------
    list of (params, suffix)
        The suffix distinguishes the variants, e.g. ``"(p=0.5)"``; it is empty if there is no grid.
    """
    axes: dict[str, list[Any]] = {}
    fixed: dict[str, Any] = {}
    for name, value in params.items():
        place = (*path, name)
        if name in declared and declared[name].valid.accepts(value):
            fixed[name] = value
        elif is_range(value):
            axes[name] = _range_axis(name, value, declared, place, faults)
        elif isinstance(value, list):
            axes[name] = _list_axis(name, value, declared, place, faults)
        else:
            fixed[name] = value
            _check(name, value, declared, place, faults)
    axes = {name: values for name, values in axes.items() if values}  # an empty one is a fault already
    size = math.prod(map(len, axes.values()))
    if size > MAX_VARIANTS:
        faults.append((path, f"the grid has {size} combinations; valid is up to {MAX_VARIANTS}"))
        return []
    points = [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
    return [({**fixed, **point}, _suffix(point)) for point in points]


def _check(name: str, value: Any, declared: Mapping[str, Parameter], place: Path, faults: Faults) -> None:
    """Check one value against its declaration; a plugin that declares nothing takes every value."""
    if declared:
        faults.extend((place, message) for _, message in parameter_faults({name: value}, declared, in_yaml))


def _list_axis(
    name: str, values: list[Any], declared: Mapping[str, Parameter], place: Path, faults: Faults
) -> list[Any]:
    if not values:
        faults.append((place, f"{name} is an empty list; a grid has at least one value"))
    for i, value in enumerate(values):
        _check(name, value, declared, (*place, i), faults)
    return values


def _range_axis(
    name: str, value: Mapping[str, Any], declared: Mapping[str, Parameter], place: Path, faults: Faults
) -> list[int]:
    """Return the numbers of a range; report only the first that the parameter does not take."""
    try:
        numbers = range_values(value)
    except ValueError as error:
        faults.append((place, f"{name} is {shown(value)}; valid is {error}"))
        return []
    found: Faults = []
    for number in numbers:
        _check(name, number, declared, place, found)
    faults.extend(found[:1])
    return numbers


def _suffix(point: Mapping[str, Any]) -> str:
    return f"({', '.join(f'{name}={_short(value)}' for name, value in point.items())})" if point else ""


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{k} {_short(v)}" for k, v in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def _distinct(labels: Sequence[str], kind: str, faults: Faults) -> None:
    repeated = {label: count for label, count in Counter(labels).items() if count > 1}
    listed = dict(itertools.islice(repeated.items(), MOST_LISTED))
    for label, count in listed.items():
        faults.append(
            ((kind,), f"{kind}: the label {shown(label)} occurs {count} times; choose distinct labels by 'label'")
        )
    if len(repeated) > len(listed):
        faults.append(((kind,), f"{kind}: {len(repeated) - len(listed)} more labels occur more than once"))


def _check_metrics(suite: Suite, registry: Registry, faults: Faults) -> None:
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
        found = parameter_faults(entry.params, registry.metrics[entry.name].parameters, in_yaml)
        faults.extend(((*path, "params", name), message) for name, message in found)


def _unknown_entry(name: str, registry: Registry) -> str:
    """Report an unknown metric; one with an aspect, such as ``cpev_test``, is a column of the metric without it."""
    column = column_of(name, registry.metrics.specs)
    if column.metric not in registry.metrics or column.metric == name:
        return f"unknown metric {shown(name)}{unknown_name(name, registry.metrics)}"
    if registry.metrics[column.metric].on == "once" and column.on != "train":
        return f"{shown(name)} does not exist: '{column.metric}' has one value for a fit, whatever the samples"
    if column.refitted and not registry.metrics[column.metric].refitted:
        return f"{shown(name)} does not exist: '{column.metric}' does not depend on the sizes of the loadings"
    return (
        f"{shown(name)} is a column of the metric '{column.metric}', not a metric; ask for '{column.metric}', "
        "and choose columns in report.columns"
    )


def _check_report(
    suite: Suite, registry: Registry, methods: Sequence[str], datasets: Sequence[str], faults: Faults
) -> None:
    """Check references to other parts of the suite; skip those to a part that has a fault of its own."""
    known: dict[str, tuple[Sequence[str], Sequence[MethodEntry | DatasetEntry], Container[str]]] = {
        "method": (methods, suite.methods, registry.methods),
        "data set": (datasets, suite.datasets, registry.datasets),
    }
    for kind, name, path in _references(suite):
        if kind == "column":
            message = _unknown_metric(suite, registry, name)
        else:
            message = _unknown_label(kind, name, *known[kind])
        if message:
            faults.append((path, message))


def _references(suite: Suite) -> Iterator[tuple[str, str, Path]]:
    """Yield what the report and the published tables refer to: its kind, its name and its place."""
    for i, column in enumerate(suite.report.columns):
        yield "column", column, ("report", "columns", i)
    for i, label in enumerate(suite.report.emphasis):
        yield "method", label, ("report", "emphasis", i)
    yield from _track_references(suite)
    for i, block in enumerate(suite.published):
        if block is None:
            continue
        if block.dataset is not None:
            yield "data set", block.dataset, ("published", i, "dataset")
        for j, row in enumerate(block.rows):
            yield "method", row.method, ("published", i, "rows", j, "method")
            if row.minus is not None:
                yield "method", row.minus, ("published", i, "rows", j, "minus")
            for column in row.metrics:
                yield "column", column, ("published", i, "rows", j, "metrics", column)


def _track_references(suite: Suite) -> Iterator[tuple[str, str, Path]]:
    """Yield what the tracks refer to; the label of an entry stands for all variants of its grid."""
    entries = {entry.label or entry.name for entry in suite.datasets if entry is not None}
    for i, track in enumerate(suite.tracks):
        yield "column", track.metric, ("tracks", i, "metric")
        for j, label in enumerate(track.datasets):
            if label not in entries:
                yield "data set", label, ("tracks", i, "datasets", j)


def _unknown_metric(suite: Suite, registry: Registry, column: str) -> str:
    """Return the fault of a column whose metric the suite does not have, or nothing."""
    metric = column_of(column, registry.metrics.specs).metric
    metrics = [entry.name for entry in suite.metrics if entry is not None]
    if metric in metrics or None in suite.metrics:
        return ""
    valid = [name for name in metrics if name in registry.metrics]
    return f"the suite has no metric {shown(metric)}{unknown_name(metric, valid)}"


def _unknown_label(
    kind: str,
    label: str,
    labels: Sequence[str],
    entries: Sequence[MethodEntry | DatasetEntry],
    catalogue: Container[str],
) -> str:
    """Return the fault of a label that no entry of the suite has, or nothing."""
    unknown = [entry.label or entry.name for entry in entries if entry is not None and entry.name not in catalogue]
    unsettled = None in entries or any(label == stem or label.startswith(f"{stem}(") for stem in unknown)
    if label in labels or unsettled:
        return ""
    return f"no {kind} of this suite is labelled {shown(label)}{unknown_name(label, labels)}"
