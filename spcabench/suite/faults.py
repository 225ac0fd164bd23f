"""What is wrong with a suite: its form, in the words of its file; then its names, labels and what refers to these."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from spcabench.parameters import nearest, parameter_faults, shown, unknown_name
from spcabench.plugins import Catalogue, Registry
from spcabench.specs import MethodSpec
from spcabench.suite.columns import column_of
from spcabench.suite.models import DatasetEntry, MethodEntry, MetricEntry, Repeats, StandIn, Suite
from spcabench.suite.values import MAX_LABEL, NAME_PATTERN
from spcabench.suite.variants import MAX_VARIANTS, Faults, Path, grid_faults, spread

Entry = MethodEntry | DatasetEntry | MetricEntry

MOST_FAULTS = 500
"""Faults of a suite's values that are described at most, and after which no further scale is read."""


def validated(data: dict[str, Any]) -> tuple[Suite | None, Faults]:
    """Return the suite, or None and its faults."""
    try:
        return Suite.model_validate(data), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    found = [(_path(data, detail), _message(data, detail)) for detail in details[:MOST_FAULTS]]
    if len(details) > MOST_FAULTS:
        found.append((found[-1][0], f"and {len(details) - MOST_FAULTS} more faults"))
    return None, found


def _path(data: Any, detail: ErrorDetails) -> Path:
    """Return the part of an error's location that is a path in the data (the rest names models and unions)."""
    path: list[str | int] = []
    for step in detail["loc"]:
        in_mapping = isinstance(data, Mapping) and step in data
        if in_mapping or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            data = data[step]
            path.append(step)
    return tuple(path)


def _message(data: Any, detail: ErrorDetails) -> str:
    path = _path(data, detail)
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        *outer, key = path
        return f"unknown key {shown(key)} in {_called(outer)}{unknown_name(key, _fields(outer))}"
    if kind == "missing":
        return f"'{detail['loc'][-1]}' is missing in {_called(path)}"
    found = _said(detail["input"])
    if kind == "literal_error":
        options = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return f"{_place(path)} is {found}; valid is one of {options}{nearest(detail['input'], options.split(', '))}"
    if kind == "model_type":
        return f"{_place(path)} is {found}; valid is a mapping of {', '.join(_fields(path))}"
    if kind == "string_pattern_mismatch":
        is_name = context["pattern"] == NAME_PATTERN
        valid = "a name of lower case letters, digits and underscores" if is_name else "text without control characters"
    elif kind in ("int_type", "int_from_float", "list_type") and path in _FORMS:
        valid = _FORMS[path]
    else:
        valid = _VALID[kind].format(**context) if kind in _VALID else detail["msg"]
    return f"{_place(path)} is {found}; valid is {valid}"


def _said(value: Any) -> str:
    """Show a value in the words of YAML."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return shown(value)


_FORMS: dict[Path, str] = {
    ("repeats",): f"a whole number, or a mapping of {', '.join(Repeats.model_fields)}",
    ("seeds",): "a list of seeds, or how many, or a range {from, to, step}",
    ("n_nonzero",): "a whole number, a list, or a range {from, to, step}",
}
"""What is valid where a value has several forms."""

_VALID = {
    "string_type": "text",
    "list_type": "a list",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "greater_than_equal": "a number from {ge}",
    "greater_than": "a number above {gt:g}",
    "less_than_equal": "a number up to {le:.0f}",
    "string_too_short": "text that is not empty",
    "string_too_long": "text of at most {max_length} characters",
    "too_short": "a list with something in it",
    "value_error": "{error}",
}


def _place(path: Sequence[str | int]) -> str:
    """Write a path as in ``published[0].rows[1].method``."""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
    return words if len(words) <= 120 else words[:117] + "..."


def _called(path: Sequence[str | int]) -> str:
    return f"'{_place(path)}'" if path else "the suite"


def _fields(path: Sequence[str | int]) -> list[str]:
    """Return the valid keys of the model at a path."""
    model: type[BaseModel] = Suite
    for step in path:
        if isinstance(step, str) and step in model.model_fields:
            model = _inner_model(model.model_fields[step].annotation) or model
    return list(model.model_fields)


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = _inner_model(inner)
        if found:
            return found
    return None


def name_faults(suite: Suite, registry: Registry, as_run: bool = False) -> Faults:
    """Report names that no plugin has, parameters that do not fit, labels that occur twice or that no entry has.

    Parameters
    ----------
    suite : Suite
        The suite.
    registry : Registry
        Everything that the plugins provide.
    as_run : bool
        Whether a run keeps the suite: its methods are settled, and their parameters are not looked at again.
    """
    faults: Faults = []
    known: dict[str, set[str]] = {}
    lost: set[str] = set()
    for field, catalogue in zip(("methods", "datasets", "metrics"), registry.catalogues, strict=True):
        labels = known.setdefault(catalogue.kind, set())
        for i, entry in enumerate(getattr(suite, field)):
            found = _of_entry(entry, catalogue, registry, as_run)
            if found:
                lost.add(_stem(entry))
            elif words := _taken(catalogue.kind, _labels(entry, catalogue, as_run), labels):
                found = [((), words)]
            faults += [((field, i, *path), words) for path, words in found]
    grids = set(map(_stem, suite.datasets))
    for path, kind, label in _references(suite):
        name = column_of(label, registry.metrics.specs).metric if kind == "metric" else label
        is_grid = path[0] == "tracks" and kind == "data set" and label in grids
        if not (name in known[kind] or lost & {name, name.partition("(")[0]} or is_grid):
            words = "the suite has no metric" if kind == "metric" else f"no {kind} of this suite is labelled"
            faults.append((path, f"{words} {shown(name)}{unknown_name(name, sorted(known[kind]))}"))
    return faults


def _taken(kind: str, added: Sequence[str], labels: set[str]) -> str:
    """Take in the labels of an entry; return what is wrong if there are too many, or one is there already."""
    total = len(labels) + len(added)
    if total > MAX_VARIANTS:
        return f"{kind}s: {total} up to here; valid is up to {MAX_VARIANTS}"
    for label in added:
        if kind == "method" and len(label) > MAX_LABEL:  # a run keeps each as an entry of its own
            return (
                f"the {kind} {shown(label)} has {len(label)} characters; valid is up to {MAX_LABEL}: give it a 'label'"
            )
        if label in labels:
            remedy = "" if kind == "metric" else "; choose distinct labels by 'label'"
            return f"the {kind} {shown(label)} occurs twice{remedy}"
        labels.add(label)
    return ""


def _stem(entry: Entry) -> str:
    return getattr(entry, "label", None) or entry.name


def _labels(entry: Entry, catalogue: Catalogue[Any], as_run: bool) -> list[str]:
    """Return the labels of an entry, one for each variant that its grid spans."""
    if isinstance(entry, MetricEntry) or (isinstance(entry, MethodEntry) and as_run):
        return [_stem(entry)]
    return [_stem(entry) + suffix for _, suffix in spread(entry.params, catalogue[entry.name].parameters)]


def _of_entry(entry: Entry | StandIn, catalogue: Catalogue[Any], registry: Registry, as_run: bool) -> Faults:
    """Report what is wrong with the name and the parameters of an entry."""
    if entry.name not in catalogue:
        return [(("name",), _unknown(entry.name, catalogue, registry))]
    if isinstance(entry, MethodEntry) and as_run:
        return []
    spec = catalogue[entry.name]
    found = _set_by_suite(spec, entry) if isinstance(entry, MethodEntry) else []
    given = {key: value for key, value in entry.params.items() if (key,) not in dict(found)}
    if isinstance(entry, MethodEntry | DatasetEntry):
        found += grid_faults(given, spec.parameters)
    else:
        found += [((key,), words) for key, words in parameter_faults(given, spec.parameters)]
    found = [(("params", *path), words) for path, words in found]
    if isinstance(entry, DatasetEntry) and entry.stand_in is not None:
        of_other = _of_entry(entry.stand_in, catalogue, registry, as_run)
        found += [(("stand_in", *path), words) for path, words in of_other]
    return found


def _unknown(name: str, catalogue: Catalogue[Any], registry: Registry) -> str:
    """Return the fault of a name that no plugin has.

    If no known name is similar, it may belong to a plugin that was not loaded.  A metric with an aspect, such as
    ``cpev_test``, is a column of the metric without it.
    """
    metric = column_of(name, registry.metrics.specs).metric
    if catalogue is registry.metrics and metric in catalogue:
        what = f"{shown(name)} is a column of the metric '{metric}', not a metric"
        return f"{what}; ask for '{metric}', and choose columns in report.columns"
    hint = "" if nearest(name, catalogue) else "; load your own with --plugin FILE"
    return f"unknown {catalogue.kind} {shown(name)}{unknown_name(name, catalogue)}{hint}{registry.hint}"


def _set_by_suite(spec: MethodSpec, entry: MethodEntry) -> Faults:
    """Report the parameters that the suite sets, and not an entry."""
    hints = {"n_components": "", "random_state": ""}
    if entry.sparsity == "target" and spec.knob.parameter:
        hints[spec.knob.parameter] = "; say 'sparsity: own' to set it here"
    return [
        ((name,), f"{name} is set by the suite, not by a method's params{hint}")
        for name, hint in sorted(hints.items())
        if name in entry.params
    ]


def _references(suite: Suite) -> Iterator[tuple[Path, str, str]]:
    """Yield the path of each value that names an entry of the suite, the kind of the entry, and the label or column."""
    report = suite.report
    yield from ((("report", "columns", i), "metric", column) for i, column in enumerate(report.columns))
    yield from ((("report", "emphasis", i), "method", label) for i, label in enumerate(report.emphasis))
    yield from ((("report", "names", label), "method", label) for label in report.names)
    for i, track in enumerate(suite.tracks):
        yield ("tracks", i, "metric"), "metric", track.metric
        yield from ((("tracks", i, "beside", j), "metric", column) for j, column in enumerate(track.beside))
        yield from ((("tracks", i, "datasets", j), "data set", label) for j, label in enumerate(track.datasets))
        yield from ((("tracks", i, "bounds", label), "data set", label) for label in track.bounds)
    for i, block in enumerate(suite.published):
        if block.dataset is not None:
            yield ("published", i, "dataset"), "data set", block.dataset
        for j, row in enumerate(block.rows):
            place = ("published", i, "rows", j)
            yield from (((*place, "metrics", column), "metric", column) for column in row.metrics)
            yield (*place, "method"), "method", row.method
            if row.minus is not None:
                yield (*place, "minus"), "method", row.minus
