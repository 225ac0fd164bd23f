"""Truncations with a level for each, which several tests share."""

import pytest

LEVELS = [("l1", {"threshold": 0.15}), ("l0", {"threshold": 0.2}), ("sp", {"n_nonzero": 5}), ("en", {"energy": 0.2})]
levels = pytest.mark.parametrize(("truncation", "level"), LEVELS, ids=[name for name, _ in LEVELS])
