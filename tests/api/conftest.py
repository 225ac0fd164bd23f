"""A small run made from Python, once for all tests that only look at it."""

from __future__ import annotations

import pytest
from small_suite import SUITE

import spcabench


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Return the results of a run, not to be changed."""
    place = tmp_path_factory.mktemp("runs") / "small"
    return spcabench.run(SUITE, place, isolation=False, progress=False)
