"""Set values of a suite after it is read: by one of its scales, and by ``--set``."""

from __future__ import annotations

import re
from typing import Any

from spcabench.parameters import nearest, shown, unknown_name
from spcabench.suite.models import DEFAULT, ENTRIES, QUICK
from spcabench.suite.values import named
from spcabench.suite.yaml_source import Located, Path_, read_yaml
from spcabench.wording import Fault, InputError

NEW = "+"
"""The step of a path that adds an entry to a list."""

_SETTING = re.compile(r"((?:\([^()]*\)|[^=])*)=(.*)", re.DOTALL)
"""A name and a value; an equals sign within brackets, as in the label ``t (p=0.5)``, belongs to the name."""


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
    sides = _SETTING.fullmatch(setting)
    where = f"--set {setting}" if len(setting) <= 60 else f"--set {setting[:57]}..."
    if sides is None:
        return [Fault("valid is NAME=VALUE, such as n_components=10 or limits.time=60", where)]
    name, text = sides.groups()
    try:
        value = read_yaml(text.encode(errors="replace"), where) if text else Located(where)
    except InputError as error:
        return [Fault(fault.message, where) for fault in error.faults]
    return [Fault(message, where) for message in _put(located, name, value.data, where)]


def _put(located: Located, name: str, value: Any, origin: str | Path_) -> list[str]:
    """Set a value by its dotted path and note where it came from, or report why it cannot be set.

    A step into a list is an index, or the label or name of an entry, which may have dots in it; `NEW` at the
    end adds an entry.  Mappings that are missing on the way are made.
    """
    steps = name.split(".")
    if not all(steps):
        return [f"{shown(name)} is not a dotted path, such as limits.time or methods.0.params.p"]
    if steps[0] == "scales":
        return ["a scale is not to be set; set what it would set"]
    target: Any = located.data
    path: Path_ = ()
    try:
        key, steps = _key(target, steps, path)
        path = (key,)
        while steps:
            target = _opened(located, target, path, origin)
            key, steps = _key(target, steps, path)
            path = (*path, key)
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


def _key(target: Any, steps: list[str], path: Path_) -> tuple[str | int, list[str]]:
    """Return the key or index that the first step means in a mapping or a list, and the steps after it.

    Of a list the longest run of steps that is a label or a name is taken as one.

    Raises
    ------
    LookupError
        With the message, if it means none.
    """
    step, *rest = steps
    if isinstance(target, dict):
        return step, rest
    place = shown(".".join(map(str, path)))
    if not isinstance(target, list):
        raise LookupError(f"{place} is neither a mapping nor a list of the suite")
    if step == NEW and not rest:
        target.append(None)
        return len(target) - 1, rest
    if step.isdecimal() and len(step) < 10 and int(step) < len(target):
        return int(step), rest
    entries = [named(entry) for entry in target]
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    labels = [entry.get("label") or name if name else None for entry, name in zip(entries, names, strict=True)]
    for length in range(len(steps), 0, -1):
        joined = ".".join(steps[:length])
        for words in (labels, names):
            found = [i for i, word in enumerate(words) if word == joined]
            if len(found) > 1:
                times = f"{shown(joined)} occurs {len(found)} times in {place}"
                raise LookupError(f"{times}; choose one by its index, of {found}")
            if found:
                return found[0], steps[length:]
    valid = f"; valid is an index below {len(target)}" + (", or a label or name" if any(labels) else "")
    raise LookupError(f"{place} has no entry {shown(step)}{valid}{nearest(step, [str(w) for w in labels if w])}")
