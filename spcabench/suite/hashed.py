"""Hashes of plain data, by its text in JSON."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_IN_ORDER = json.JSONEncoder(sort_keys=True, default=str)


def digest(value: Any) -> str:
    """Hash plain data, whatever the order of its keys."""
    return hashlib.sha256(_IN_ORDER.encode(value).encode()).hexdigest()[:20]
