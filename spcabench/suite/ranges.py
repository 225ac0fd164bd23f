"""A range of whole numbers, as a suite writes it where a list may stand: ``{from: 1, to: 6000, step: 10}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spcabench.parameters import nearest, shown

KEYS = ("from", "to", "step")
MAX_VALUES = 10_000


def is_range(value: Any) -> bool:
    """Return whether a value is a range: a mapping with ``from`` or ``to``."""
    return isinstance(value, Mapping) and ("from" in value or "to" in value)


def range_values(value: Mapping[str, Any]) -> list[int]:
    """Return the numbers of a range.

    Parameters
    ----------
    value : mapping
        With ``from`` and ``to``, whole numbers that are both included, and ``step``, 1 if left out.
        ``to`` is left out where the steps miss it.

    Raises
    ------
    ValueError
        If it is no range; the words follow "valid is".
    """
    for key in value:
        if key not in KEYS:
            raise ValueError(f"a range of from, to and step, without {shown(key)}{nearest(key, KEYS)}")
    for key in ("from", "to"):
        if key not in value:
            raise ValueError(f"a range with both from and to; {key} is missing")
    for key, given in value.items():
        if type(given) is not int:
            raise ValueError(f"a range of whole numbers; {key} is {shown(given)}")
    first, last, step = value["from"], value["to"], value.get("step", 1)
    if step < 1:
        raise ValueError(f"a range whose step is at least 1; it is {shown(step)}")
    if last < first:
        raise ValueError(f"a range whose to is not below its from; {shown(last)} is below {shown(first)}")
    count = (last - first) // step + 1
    if count > MAX_VALUES:
        raise ValueError(f"a range of at most {MAX_VALUES} values; it has {shown(count)}")
    return list(range(first, last + 1, step))
