"""What can become of a cell."""

from __future__ import annotations

from collections.abc import Iterable

from spcabench.parameters import unknown_name
from spcabench.wording import InputError

FINISHED = ("ok", "not_converged")
"""Statuses with loadings and metrics."""

FAILED = ("invalid", "error", "timeout", "out_of_memory", "crashed")
"""Statuses of a fit that went wrong; any of them makes the exit code 1."""

PENDING = "pending"
"""What a report calls a cell that was not run yet; no record has it."""

STATUSES = (*FINISHED, "skipped", "unavailable", *FAILED, "interrupted")

RETRIABLE = {
    **{status: (status,) for status in STATUSES if status not in ("ok", "interrupted")},
    "failed": FAILED,
}
"""The statuses that each word stands for by which a user has cells fitted again."""


def retried(words: Iterable[str]) -> frozenset[str]:
    """Return the statuses that some words stand for, or those of one with commas.

    Raises
    ------
    InputError
        It names an unknown word, and what is valid.
    """
    words = list(filter(None, words.split(","))) if isinstance(words, str) else list(words)
    for word in words:
        if word not in RETRIABLE:
            raise InputError(f"unknown status '{word}'{unknown_name(word, RETRIABLE)}")
    return frozenset(status for word in words for status in RETRIABLE[word])
