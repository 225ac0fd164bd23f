"""A fit that is 30 % slower, or whose objective is worse, fails the comparison of pytest-benchmark."""

import pytest
from tracking import CHANGES, Benchmarks  # the program of tools/ that plants such changes on an idle machine

BENCH = """\
import time
from spcabench.perf.bench import measure, one_fit_a_round, samples
from spcabench_methods import TPower


class Steady(TPower):
    def fit(self, X, y=None):
        end = time.process_time() + 0.01
        super().fit(X)
        while time.process_time() < end:
            pass
        return self


@one_fit_a_round
def test_fit(benchmark):
    measure(benchmark, Steady(2, n_nonzero=8), samples("100 x 60"), better="higher")
"""


@pytest.mark.nightly
@pytest.mark.parametrize(("change", "alarm"), [(None, False), ("30 % slower", True), ("worse", True)])
def test_what_was_planted_fails_the_comparison(change, alarm, tmp_path):
    """A fit takes a hundredth of a second, whatever else the machine does."""
    (tmp_path / "bench_steady.py").write_text(BENCH)
    benchmarks = Benchmarks(tmp_path, ("bench_steady.py",), "bench_steady:Steady")
    benchmarks.save()
    assert benchmarks.alarm("min:15%", **CHANGES[change] if change else {}) == alarm
