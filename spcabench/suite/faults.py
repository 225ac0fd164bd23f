"""What pydantic finds wrong with a suite, in the words of its file: what was found, is valid, and is nearest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from spcabench.parameters import nearest, shown, unknown_name
from spcabench.suite.models import Repeats, Suite
from spcabench.suite.values import NAME_PATTERN
from spcabench.suite.variants import Faults, Path

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
