"""Truncations with a level for each, and vectors to truncate, which several tests share."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from spcabench_methods.core.arrays import unit

LEVELS = [("l1", {"threshold": 0.15}), ("l0", {"threshold": 0.2}), ("sp", {"n_nonzero": 5}), ("en", {"energy": 0.2})]
levels = pytest.mark.parametrize(("truncation", "level"), LEVELS, ids=[name for name, _ in LEVELS])

entries = arrays(np.float64, st.integers(2, 12), elements=st.floats(-1, 1, width=32))
vectors = entries.filter(lambda v: np.linalg.norm(v) > 1e-3).map(unit)


def columns(method):
    return method.components_.T
