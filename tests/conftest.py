"""What all tests share: each process of pytest-xdist has one core, so BLAS has one thread."""

from __future__ import annotations

import pytest
import scipy.linalg  # noqa: F401  a limit holds for the libraries that are loaded
from threadpoolctl import threadpool_limits


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Limit BLAS to one thread, as the workers of a run do."""
    with threadpool_limits(1, user_api="blas"):
        yield
