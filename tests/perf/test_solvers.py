"""A fit of each family of solvers on fixed small data; run by ``pytest -n 0 tests/perf/test_solvers.py``."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from clocks import cpu, one_quiet_thread  # noqa: F401  (a fixture)
from solvers import CASES

from spcabench.perf.worker import WARM, quality

ROUNDS = 30
"""Rounds of a fit each: with a fit of a millisecond, the median of fewer follows the machine."""


@cpu
@pytest.mark.parametrize("name", CASES)
def test_fit(benchmark, name):
    method, X = CASES[name].prepare()
    gc.collect()
    benchmark.group = f"{CASES[name].family}, {CASES[name].size}"
    benchmark.name = f"{name}, one fit"
    benchmark.pedantic(method.fit, (X,), rounds=ROUNDS, warmup_rounds=WARM)
    found = quality(method, X)
    benchmark.extra_info |= {"cpev": found.pop("variance"), **found}
    benchmark.extra_info["objective"] = float(np.sum(method.objective_))
    assert benchmark.extra_info["cpev"] > 0.0
