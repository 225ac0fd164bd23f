"""A suite by name or path -> a validated `Suite`, or every fault in it at once."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from spcabench.errors import Fault, InputError
from spcabench.parameters import nearest, shown, unknown_name
from spcabench.plugins import Registry
from spcabench.suite.expand import Faults, expand, file_faults, level_faults
from spcabench.suite.models import DEFAULT, Convergence, Repeats, ReportEntry, Suite, SuiteFile, named
from spcabench.suite.plan import Plan, count_cells, plan_cells
from spcabench.suite.settings import apply_scale, chosen_scale, override, scale_names
from spcabench.suite.strict import NAME_PATTERN
from spcabench.suite.yaml_source import Located, read_yaml

MAX_CELLS = 200_000
MOST_FAULTS = 500
"""Faults of a suite's values that are described at most, and after which no further scale is read."""
THE_SUITE = "the suite"
"""What messages call a suite that is no file."""
AMPLE = 100
"""How many times larger a suite as it was run may be than one that a user writes."""


def suite_files() -> dict[str, Path]:
    """Return the suites by name: those of the folder ``suites`` here first, then those of the package."""
    return {file.stem: file for folder in suite_folders() for file in sorted(folder.glob("*.yaml"))}


def suite_folders() -> list[Path]:
    """Return where suites are, those that count least first."""
    package = Path(__file__).resolve().parents[1]
    return [package / "_suites", package.parent / "suites", Path("suites")]


def find_suite(target: str) -> Path:
    """Return the file of a suite named by path or by name.

    Raises
    ------
    InputError
        If there is none.
    """
    known = suite_files()
    if target in known and not Path(target).is_file():
        return known[target]
    path = Path(os.path.expanduser(target))
    if path.is_dir():
        raise InputError(Fault("a folder, where a suite file is wanted", target))
    if not path.is_file():
        stem = path.stem if path.suffix else target
        raise InputError(Fault(f"no such suite file, nor a suite of that name{unknown_name(stem, known)}", target))
    return path


@dataclass(frozen=True)
class Loaded:
    """A suite as read: the model, what it plans, where it was read, and which of its scales it is."""

    suite: Suite
    plan: Plan
    file: Path
    scale: str
    scales: Sequence[str]

    @property
    def run_name(self) -> str:
        """The name of the run's folder: the suite's name, and that of its scale."""
        return self.suite.name if self.scale == DEFAULT else f"{self.suite.name}-{self.scale}"


def load_suite(target: str, registry: Registry, settings: Sequence[str] = (), scale: str = DEFAULT) -> Loaded:
    """Read, validate and plan one scale of a suite; the others are not read.

    Parameters
    ----------
    target : str
        A path, or the name of a suite.
    registry : Registry
        What its names are looked up in.
    settings : sequence of str
        Overrides, ``"n_components=10"`` or ``"datasets.0.params.n=60"``, the values in YAML; set after the scale.
    scale : str
        ``default``, the suite as written; one that it declares; or ``quick``, which is the suite as written where it
        declares none of that name.

    Raises
    ------
    InputError
        With every fault found, each with file and line.
    """
    located = _read(target)
    return _with_files(_loaded(located, registry, settings, chosen_scale(located, scale)), located, registry)


def load_data(
    data: Mapping[str, Any], registry: Registry, settings: Sequence[str] = (), scale: str = DEFAULT
) -> Loaded:
    """Validate and plan one scale of a suite that is at hand as data, as `load_suite` does of a file.

    Tuples, ranges, arrays and numbers of numpy stand for the lists and numbers of a file, and paths for their names.

    Raises
    ------
    InputError
        With every fault found.
    """
    located = Located(THE_SUITE, _as_read(data))
    return _with_files(_loaded(located, registry, settings, chosen_scale(located, scale)), located, registry)


def _as_read(value: Any) -> Any:
    """Return a value as it would be read from a file."""
    if isinstance(value, Mapping):
        return {key: _as_read(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple | range):
        return [_as_read(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def load_resolved(text: str, file: Path, registry: Registry) -> Loaded:
    """Validate and plan a suite as a run keeps it in `file`; the data that it names may be missing.

    Raises
    ------
    InputError
        With every fault found, each with file and line.
    """
    return _loaded(_located(text.encode(), str(file), AMPLE), registry, (), DEFAULT)


def load_scales(target: str, registry: Registry, settings: Sequence[str] = ()) -> list[Loaded]:
    """Read, validate and plan every scale of a suite, the default form first.

    Raises
    ------
    InputError
        It names every fault of every scale, and the scale if only that has the fault.
    """
    located = _read(target)
    loaded: list[Loaded] = []
    faults: list[Fault] = []
    seen: set[Fault] = set()
    for scale in _all_scales(located):
        if len(faults) > MOST_FAULTS:
            break
        try:
            scaled = copy.deepcopy(located)
            loaded.append(_with_files(_loaded(scaled, registry, settings, scale), scaled, registry))
        except InputError as error:
            new = [fault for fault in error.faults if fault not in seen]
            seen.update(new)
            faults += new if scale == DEFAULT else [_in_scale(scale, fault) for fault in new]
    if faults:
        raise InputError(faults)
    return loaded


def suite_scales(target: str) -> list[str]:
    """Return the names of a suite's scales, ``default`` first; nothing is validated.

    Raises
    ------
    InputError
        If there is no such suite or it cannot be read.
    """
    return _all_scales(_read(target))


def _read(target: str) -> Located:
    """Read a suite's file as data.

    Raises
    ------
    InputError
        If there is none, it is not YAML, or not a mapping.
    """
    file = find_suite(target)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", str(file))) from error
    return _located(content, str(file))


def _located(content: bytes, where: str, ample: int = 1) -> Located:
    """Read a suite's text as data.

    Raises
    ------
    InputError
        If it is not YAML, or not a mapping.
    """
    located = read_yaml(content, where, ample)
    if not isinstance(located.data, dict):
        raise InputError(located.fault((), f"a suite is a mapping, found {shown(located.data)}"))
    return located


def _all_scales(located: Located) -> list[str]:
    return list(dict.fromkeys([DEFAULT, *scale_names(located)]))


def _in_scale(scale: str, fault: Fault) -> Fault:
    return replace(fault, message=f"scale {scale}: {fault.message}")


def _loaded(located: Located, registry: Registry, settings: Sequence[str], scale: str) -> Loaded:
    """Validate and plan what was read, at one scale."""
    scales = _all_scales(located)
    refused = apply_scale(located, scale) + [fault for setting in settings for fault in override(located, setting)]
    suite, found = _validated(located.data)
    found = found or level_faults(suite)
    methods, datasets, more = expand(suite, registry)
    faults = [*refused, *located.all_faults([*found, *more])]
    if faults:
        raise InputError(faults)
    n_cells = count_cells(suite, methods, datasets)
    if n_cells > MAX_CELLS:
        place = () if scale == DEFAULT else ("scales", scale)
        raise InputError(located.fault(place, f"the suite has {n_cells} cells; valid is up to {MAX_CELLS}"))
    return Loaded(suite, plan_cells(suite, methods, datasets), Path(located.where), scale, scales)


def _with_files(loaded: Loaded, located: Located, registry: Registry) -> Loaded:
    """Return the suite if the files that it names are there.

    Raises
    ------
    InputError
        With each that is not.
    """
    faults = located.all_faults(file_faults(loaded.suite, registry))
    if faults:
        raise InputError(faults)
    return loaded


def resolved_yaml(suite: Suite) -> str:
    """Write the suite as it was run, with every default."""
    return yaml.safe_dump(suite.model_dump(), sort_keys=False, allow_unicode=True, width=110)


def _validated(data: dict[str, Any]) -> tuple[Suite, Faults]:
    """Return the suite, or the part of it without faults, and the faults."""
    try:
        SuiteFile.model_validate(data)
        suite = Suite.model_validate({key: value for key, value in data.items() if key != "scales"})
        return suite.model_copy(update={"repeats": suite.settled_repeats}), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    found = [(_path(data, detail), _message(data, detail)) for detail in details[:MOST_FAULTS]]
    if len(details) > MOST_FAULTS:
        found.append((found[-1][0], f"and {len(details) - MOST_FAULTS} more faults"))
    return _sound_part(data), found


def _sound_part(data: dict[str, Any]) -> Suite:
    """Return the suite with None for unusable entries, so that the names in the others are still checked."""

    def entries(key: str) -> list[Any]:
        model = _inner_model(Suite.model_fields[key].annotation)
        assert model is not None
        given = data.get(key)
        return [_sound(model, entry) for entry in given] if isinstance(given, list) and given else [None]

    return Suite.model_construct(
        name="",
        n_components=1,
        n_nonzero=[1],
        datasets=entries("datasets"),
        methods=entries("methods"),
        metrics=entries("metrics"),
        published=entries("published"),
        report=_sound(ReportEntry, data.get("report")) or ReportEntry(),
    )


def _sound(model: type[BaseModel], data: Any) -> Any:
    """Return an entry without its faulty keys; None if the rest is not valid either."""
    try:
        return model.model_validate(named(data))
    except ValidationError as error:
        faulty = {detail["loc"][0] for detail in error.errors() if detail["loc"]}
    rest = {key: value for key, value in data.items() if key not in faulty} if isinstance(data, dict) else {}
    return _sound(model, rest) if 0 < len(rest) < len(data) else None


def _path(data: Any, detail: ErrorDetails) -> tuple[str | int, ...]:
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
    elif kind in ("int_type", "int_from_float", "list_type", "bool_type") and path in _FORMS:
        valid = _FORMS[path]
    else:
        valid = _VALID[kind].format(**context) if kind in _VALID else detail["msg"]
    return f"{_place(path)} is {found}; valid is {valid}"


def _said(value: Any) -> str:
    """Show a value in the words of YAML."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return shown(value)


_FORMS: dict[tuple[str | int, ...], str] = {
    ("repeats",): f"a whole number, or a mapping of {', '.join(Repeats.model_fields)}",
    ("convergence",): f"true, false, or a mapping of {', '.join(Convergence.model_fields)}",
    ("seeds",): "a list of seeds, or how many, or a range {from, to, step}",
    ("n_nonzero",): "a whole number, a list, or a range {from, to, step}",
}
"""What is valid where a value has several forms."""

_VALID = {
    "string_type": "text",
    "list_type": "a list",
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
    model: type[BaseModel] = SuiteFile
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
