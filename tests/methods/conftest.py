"""Matrices that the tests of the methods share."""

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from drawn import decaying, small_samples
from hypothesis import settings

HOST = re.compile(
    r"^from (spcabench|spcabench_datasets|contract|test_contract\w*|selection_table)\b|^import pandas", re.M
)
INSTALLED = find_spec("spcabench_datasets")  # of a wheel, away from its source; without the host, the source has it
DATA = Path(INSTALLED.origin).parent if INSTALLED else Path(__file__).parents[2] / "plugins" / "spcabench_datasets"
if not find_spec("spcabench"):  # the library alone: what holds its methods against the host waits for the host
    tests = Path(__file__).parent.glob("test_*.py")
    collect_ignore = [test.name for test in tests if HOST.search(test.read_text(encoding="utf-8"))]

settings.register_profile("busy", deadline=None)  # compilation, and other programs, take time that examples do not
settings.load_profile("busy")


@pytest.fixture(scope="session")
def pitprops():
    """Read the correlation matrix of Jeffers (1967), 13 x 13."""
    S = np.loadtxt(DATA / "pitprops.csv", delimiter=",", skiprows=1, usecols=range(1, 14))
    S.flags.writeable = False
    return S


@pytest.fixture(
    params=[(0, 60, 12), *(pytest.param(p, marks=pytest.mark.weekly) for p in ((1, 200, 20), (2, 15, 40))), (3, 6, 50)],
    ids=lambda p: f"n{p[1]}d{p[2]}",
)
def X(request):
    """Tall and wide samples; the widest is beyond the shape for which a Gram matrix is formed."""
    samples = decaying(*request.param)
    samples.flags.writeable = False
    return samples


@pytest.fixture
def samples():
    """Return a few samples that a test may change."""
    return small_samples()


@pytest.fixture
def tall():
    """Return samples of one shape, for what does not depend on it."""
    samples = decaying(0, 60, 12)
    samples.flags.writeable = False
    return samples
