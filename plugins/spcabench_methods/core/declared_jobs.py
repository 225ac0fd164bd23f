"""The declaration of the parameter ``n_jobs``.  The pages of the families import it: keep it light."""

from __future__ import annotations

from spcabench import NOTHING, Either, Parameter, Whole

MOST = 1024
"""Processors that a negative number may leave out."""


def n_jobs(use: str) -> Parameter:
    """Declare ``n_jobs`` and what is done at once."""
    valid = Either(NOTHING, Whole(1), Whole(-MOST, -1))
    return Parameter(None, valid, f"so many threads for {use}; -1: one a processor, -2: all but one; null: 1")
