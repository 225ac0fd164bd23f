"""Where a method starts: the words for it."""

from __future__ import annotations

from typing import Literal

OWN: Literal["own"] = "own"
"""The start that a method has if the suite does not say: what main tables, ranks and figures show."""

Start = Literal["own", "ones", "pca", "max_variance", "random"]
"""The own start of each method; equal entries; leading eigenvectors; features of largest variance; random entries."""


def with_own(starts: list[Start]) -> list[Start]:
    """Refuse starts without the own one: the main tables would be empty."""
    if OWN not in starts:
        raise ValueError(f"a list with {OWN} in it, which main tables and figures show")
    return starts


def from_start(name: str, start: str) -> str:
    """Label a method by its name and where it starts.

    Examples
    --------
    >>> from_start("rspca", "own"), from_start("rspca", "ones")
    ('rspca', 'rspca from ones')
    """
    return name if start == OWN else f"{name} from {start}"
