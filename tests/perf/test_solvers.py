"""A fit of each family of solvers on fixed small data; run by ``pytest -n 0 tests/perf/test_solvers.py``."""

from __future__ import annotations

import pytest
from solvers import CASES, MINIMISED

from spcabench.perf.bench import measure, one_fit_a_round


@one_fit_a_round
@pytest.mark.parametrize("name", CASES)
def test_fit(benchmark, name):
    case = CASES[name]
    benchmark.group = f"{case.family}, {case.size}"
    benchmark.name = f"{name}, one fit"
    measure(benchmark, *case.prepare(), better="lower" if case.solver in MINIMISED else "higher")
    assert benchmark.extra_info["cpev"] > 0.0
