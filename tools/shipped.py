"""The suites of this repository as they are planned, each read once: that of the leaderboard takes a second."""

from __future__ import annotations

from functools import cache

from published_checks.estimators import registry

from spcabench.suite.load import Loaded, load_suite
from spcabench.suite.models import DEFAULT


@cache
def shipped(name: str, scale: str = DEFAULT) -> Loaded:
    """Return a suite and its plan at one of its scales; they are not to be changed."""
    return load_suite(name, registry(), scale=scale)
