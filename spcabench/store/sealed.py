"""Text with a checksum in its first line, so that a damaged file is known from a whole one.

A sealed JSON file is JSON still, and a sealed YAML file is YAML: other programs read them as they are.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from spcabench.store.inside import Damaged

FORMAT = 2
"""The version of what a run's folder holds; files of another count as none."""

_JSON_HEAD = re.compile(rb'\{"format": ([0-9]{1,9}), "sha256": "([0-9a-f]{64})",?\n')
_YAML_HEAD = re.compile(rb"# sha256 ([0-9a-f]{64})\n")
_UNSEALED = "it has no checksum: an earlier version wrote it, or something else did"
_CHANGED = "its checksum does not fit: it was changed after it was written"


def sealed_json(text: bytes) -> bytes:
    """Put a checksum into the text of a JSON object."""
    rest = text.lstrip()[1:].lstrip()
    comma = b"" if rest.startswith(b"}") else b","
    head = b'{"format": %d, "sha256": "%s"' % (FORMAT, _digest(rest))
    return head + comma + b"\n" + rest


def unsealed_json(content: bytes) -> bytes:
    """Return the text of a JSON object whose checksum fits.

    Raises
    ------
    Damaged
        If it has none, if it does not fit, or if the file is of another format.
    """
    head = _JSON_HEAD.match(content)
    if head is None:
        raise Damaged(_UNSEALED)
    if int(head[1]) != FORMAT:
        raise Damaged(f"its format is {int(head[1])}; this version reads {FORMAT}")
    rest = content[head.end() :]
    if _digest(rest) != head[2]:
        raise Damaged(_CHANGED)
    return b"{" + rest


def json_object(content: bytes) -> dict[str, Any]:
    """Return the JSON object of a sealed file.

    Raises
    ------
    Damaged
        If it is damaged, or not one that can be read.
    """
    try:
        found = json.loads(unsealed_json(content))
    except (ValueError, RecursionError) as error:
        raise Damaged("it is no JSON that can be read") from error
    if not isinstance(found, dict):
        raise Damaged("it is no JSON object")
    return found


def sealed_yaml(text: bytes) -> bytes:
    """Put a checksum above a YAML text, as a comment."""
    return b"# sha256 " + _digest(text) + b"\n" + text


def unsealed_yaml(content: bytes) -> bytes:
    """Return a YAML text whose checksum fits.

    Raises
    ------
    Damaged
        If it has none, or if it does not fit.
    """
    head = _YAML_HEAD.match(content)
    if head is None:
        raise Damaged(_UNSEALED)
    text = content[head.end() :]
    if _digest(text) != head[1]:
        raise Damaged(_CHANGED)
    return text


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()
