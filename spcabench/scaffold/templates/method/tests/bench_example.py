"""The speed of this method on standard problems: ``pytest tests/bench_example.py --benchmark-autosave``."""

from typing import Any

import pytest
from spcabench_example import Example

from spcabench.perf.bench import COMPONENTS, SIZES, K, measure, one_fit_a_round, samples


@one_fit_a_round
@pytest.mark.parametrize("size", SIZES)
def test_fit(benchmark: Any, size: str) -> None:
    """Time one fit a round; a comparison fails if a fit is slower or worse."""
    measure(benchmark, Example(COMPONENTS, K), samples(size))
