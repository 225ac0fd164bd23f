"""Text from strangers, which is bytes of any kind: made such that it can be printed, written and read.

Methods, data sets, suites, names of files and run folders all bring some.
"""

from __future__ import annotations

import re

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # what moves the cursor, sets colours or titles, or rings
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the order of reading round
    "\u2028\u2029\ud800-\udfff]"  # other line breaks, and halves of a character, which no encoding has
)


def printable(text: str) -> str:
    r"""Return a text with every character that must not reach a terminal or a file written as its escape.

    Examples
    --------
    >>> printable("red: \x1b[31m, a name that is not UTF-8: \udce9")
    'red: \\x1b[31m, a name that is not UTF-8: \\udce9'
    """
    return UNPRINTABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("ascii", "backslashreplace").decode() if found[0] > "\x7f" else f"\\x{ord(found[0]):02x}"


def encoded(text: str) -> bytes:
    """Return a text as UTF-8; halves of a character, which it does not have, as their escapes."""
    return text.encode("utf-8", "backslashreplace")
