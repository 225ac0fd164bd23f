"""Intervals, verdicts and the table, from numbers made up."""

from __future__ import annotations

import numpy as np
import pytest

from spcabench.perf.measured import Case, Compared, Interval, Limits, Measured, Quality, summary, table

CASE = Case("some, 3 x 2", "family", "some", "3 x 2", True)
LIMITS = Limits()


def side(instructions=1000.0, seconds=(1.0, 1.0), variance=0.5, nonzeros=4):
    return Measured(Quality(variance, nonzeros, 3), tuple(seconds), instructions)


def test_the_interval_of_few_ratios_is_their_range():
    assert Interval.of([1.2, 1.0, 1.1]) == Interval(1.1, 1.0, 1.2)


def test_the_interval_covers_the_median_as_often_as_it_says():
    rng = np.random.default_rng(0)
    found = [Interval.of(np.exp(rng.standard_normal(24))) for _ in range(2000)]
    assert 0.985 < np.mean([one.low <= 1.0 <= one.high for one in found]) < 1.0


@pytest.mark.parametrize(
    ("head", "verdict"),
    [
        (side(), "as before"),
        (side(instructions=1049.0), "as before"),
        (side(instructions=1051.0), "worse: instructions"),
        (side(instructions=900.0), "faster"),
        (side(seconds=(1.2, 1.3)), "worse: time"),
        (side(seconds=(1.0, 1.3)), "as before"),
        (side(instructions=None, seconds=(0.5, 0.6)), "faster"),
        (side(instructions=800.0, variance=0.49), "worse: variance"),
        (side(variance=0.51), "as before"),
        ("ValueError: no", "worse: no longer fits"),
    ],
)
def test_verdicts(head, verdict):
    row = Compared(CASE, side(), head)
    assert row.verdict(LIMITS) == verdict
    assert bool(row.alarms(LIMITS)) == verdict.startswith("worse")
    assert verdict in table([row], LIMITS)


def test_a_new_solver_is_no_alarm():
    row = Compared(CASE, "AttributeError: none", side())
    assert (row.verdict(LIMITS), row.alarms(LIMITS)) == ("new", [])
    assert summary([row], LIMITS) == "none of 1 cases is worse"


def test_what_could_not_be_fitted_is_an_alarm():
    row = Compared(CASE, "ImportError: none", "ImportError: none")
    assert (row.verdict(LIMITS), row.alarms(LIMITS)) == ("worse: fits on neither side", ["fits on neither side"])


def test_the_table_has_ratios_and_what_changed():
    row = Compared(CASE, side(), side(instructions=1100.0, seconds=(1.0, 1.1), nonzeros=5))
    text = table([row], LIMITS)
    for words in ("+10.00 %", "1.050 [1.000, 1.100]", "0.500000", "4 -> 5"):
        assert words in text
    assert summary([row], LIMITS) == "1 of 1 cases are worse: some, 3 x 2"
