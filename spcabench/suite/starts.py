"""Where a method starts: the words for it."""

from __future__ import annotations

from typing import Literal

OWN: Literal["own"] = "own"
"""The start that a method has if the suite does not say."""

PUBLISHED: Literal["published"] = "published"
"""The start of the paper of a method; its own one, if it does not tell the two apart."""

MAIN = (OWN, PUBLISHED)
"""The starts that main tables, ranks and figures show; a suite has one of them."""

Start = Literal["own", "published", "ones", "pca", "max_variance", "random"]
"""The own start of each method; that of its paper; equal entries; leading eigenvectors; features of largest variance;
random entries."""


def with_main(starts: list[Start]) -> list[Start]:
    """Refuse starts unless one is for the main tables: without it they would be empty, with two ambiguous."""
    if sum(start in MAIN for start in starts) != 1:
        raise ValueError(f"a list with either {OWN} or {PUBLISHED} in it, which main tables and figures show")
    return starts


def from_start(name: str, start: str) -> str:
    """Label a method by its name and where it starts.

    Examples
    --------
    >>> from_start("rspca", "own"), from_start("rspca", "published"), from_start("rspca", "ones")
    ('rspca', 'rspca', 'rspca from ones')
    """
    return name if start in MAIN else f"{name} from {start}"
