"""Set values of a suite after it is read: by one of its scales, and by ``--set``."""

from __future__ import annotations

from typing import Any

from spcabench.parameters import nearest, shown, unknown_name
from spcabench.suite.models import DEFAULT, ENTRIES, QUICK
from spcabench.suite.values import named
from spcabench.suite.yaml_source import Located, Path_, read_yaml
from spcabench.wording import Fault, InputError

NEW = "+"
"""The step of a path that adds an entry to a list."""


def chosen_scale(located: Located, scale: str) -> str:
    """Return the scale of a name; if a suite declares no quick scale, its default form is quick.

    Raises
    ------
    InputError
        If the suite has no such scale.
    """
    known = located.scales
    if scale == DEFAULT or scale in known:
        return scale
    if scale == QUICK:
        return DEFAULT
    message = f"the suite has no scale {shown(scale)}{unknown_name(scale, {DEFAULT, *known})}"
    raise InputError(Fault(message, located.where))


def apply_scale(located: Located, scale: str) -> list[Fault]:
    """Set the values of a scale in their order; report what cannot be set.  The default form sets nothing."""
    values = located.data["scales"][scale] if scale != DEFAULT else {}
    if not isinstance(values, dict):
        return []  # the check of the suite's form reports it
    return [
        located.fault(("scales", scale, name), message)
        for name, value in values.items()
        for message in _put(located, name, value, ("scales", scale, name))
    ]


def override(located: Located, setting: str) -> list[Fault]:
    """Set one value of the suite's data by ``--set NAME=VALUE``, or report why it cannot be set."""
    name, equals, text = setting.partition("=")
    where = f"--set {setting}" if len(setting) <= 60 else f"--set {setting[:57]}..."
    if not equals:
        return [Fault("valid is NAME=VALUE, such as n_components=10 or limits.time=60", where)]
    try:
        value = read_yaml(text.encode(errors="replace"), where) if text else Located(where)
    except InputError as error:
        return [Fault(fault.message, where) for fault in error.faults]
    return [Fault(message, where) for message in _put(located, name, value.data, where)]


def _put(located: Located, name: str, value: Any, origin: str | Path_) -> list[str]:
    """Set a value by its dotted path and note where it came from, or report why it cannot be set.

    A step into a list is an index, or the label of an entry, or its name if it has no label; `NEW` at the end adds an
    entry.  Mappings that are missing on the way are made.
    """
    steps = name.split(".")
    if not all(steps):
        return [f"{shown(name)} is not a dotted path, such as limits.time or methods.0.params.p"]
    if steps[0] == "scales":
        return ["a scale is not to be set; set what it would set"]
    target: Any = located.data
    path: Path_ = ()
    try:
        for place, step in enumerate(steps):
            if path:
                target = _opened(located, target, path, origin)
            path = (*path, _key(target, step, path, is_last=place == len(steps) - 1))
    except LookupError as error:
        return [str(error.args[0])]
    target[path[-1]] = value
    for inner in [inner for inner in located.settings if inner[: len(path)] == path]:
        del located.settings[inner]
    located.settings[path] = origin
    return []


def _opened(located: Located, target: Any, path: Path_, origin: str | Path_) -> Any:
    """Return the value at a path; a bare name, or nothing, becomes a mapping."""
    key = path[-1]
    if isinstance(target, dict) and key not in target:
        target[key] = {}
        located.settings[path] = origin
    if key == "stand_in" or (len(path) == 2 and path[0] in ENTRIES):
        target[key] = named(target[key])
    return target[key]


def _key(target: Any, step: str, path: Path_, is_last: bool) -> str | int:
    """Return the key or index that a step means in a mapping or a list.

    Raises
    ------
    LookupError
        With the message, if it means none.
    """
    if isinstance(target, dict):
        return step
    place = shown(".".join(map(str, path)))
    if not isinstance(target, list):
        raise LookupError(f"{place} is neither a mapping nor a list of the suite")
    if step == NEW and is_last:
        target.append(None)
        return len(target) - 1
    if step.isdecimal() and len(step) < 10 and int(step) < len(target):
        return int(step)
    entries = [named(entry) for entry in target]
    labels = [entry.get("label") or entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    if labels.count(step) == 1:
        return labels.index(step)
    valid = f"; valid is an index below {len(target)}" + (", or a label that occurs once" if any(labels) else "")
    words = "occurs more than once in" if step in labels else "is no entry of"
    raise LookupError(f"{shown(step)} {words} {place}{valid}{nearest(step, [str(w) for w in labels if w])}")
