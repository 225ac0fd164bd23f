"""Hashes of plain data, by its text in JSON.  The text of a part that many have in common is written once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

_IN_ORDER = json.JSONEncoder(sort_keys=True, default=str)


def digest(value: Any) -> str:
    """Hash plain data, whatever the order of its keys."""
    return hashed(text(value))


def text(value: Any) -> str:
    """Write plain data as JSON, the keys in order."""
    return _IN_ORDER.encode(value)


@lru_cache(maxsize=2**12, typed=True)
def brief(value: str | int | tuple[int, ...] | None) -> str:
    """Write what many have in common, such as a label or a level, as `text` does."""
    return text(value)


def hashed(text: str) -> str:
    """Hash a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def sequence(texts: Iterable[str]) -> str:
    """Write a sequence whose items are written already.

    Examples
    --------
    >>> sequence([text("a"), text(None)]) == text(["a", None])
    True
    """
    return "[" + ", ".join(texts) + "]"
