"""Intervals, verdicts and the table, from numbers made up."""

from __future__ import annotations

import numpy as np
import pytest

from spcabench.perf.rows import Case, Fit, Row, interval, table

CASE = Case("some, 3 x 2", "some", "3 x 2", True)
LIMITS = {"most_instructions": 0.05, "most_time": 0.05}


def side(instructions=1000.0, seconds=(1.0, 1.0), variance=0.5, nonzeros=4):
    return Fit(variance, nonzeros, 3, [9.0, *seconds], instructions)


def test_the_interval_of_few_ratios_is_their_range():
    assert interval([1.2, 1.0, 1.1]) == (1.1, 1.0, 1.2)


def test_the_interval_covers_the_median_as_often_as_it_says():
    rng = np.random.default_rng(0)
    found = [interval(np.exp(rng.standard_normal(24))) for _ in range(2000)]
    assert 0.985 < np.mean([low <= 1.0 <= high for _, low, high in found]) < 1.0


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
    row = Row(CASE, side(), head)
    assert row.cells(**LIMITS)[-1].startswith(verdict)
    assert bool(row.alarms(**LIMITS)) == verdict.startswith("worse")


@pytest.mark.parametrize(
    ("head", "verdict", "worse"),
    [(side(), "new", []), ("ImportError: none", "worse: fits on neither side", ["fits on neither side"])],
)
def test_what_base_cannot_fit_is_new_or_an_alarm(head, verdict, worse):
    row = Row(CASE, "AttributeError: none", head)
    assert row.cells(**LIMITS)[-1].startswith(f"{verdict} (base: AttributeError: none")
    assert row.alarms(**LIMITS) == worse


def test_the_table_has_ratios_and_what_changed():
    text = table([Row(CASE, side(), side(instructions=1100.0, seconds=(1.0, 1.1), nonzeros=5))], **LIMITS)
    for words in ("+10.00 %", "1.050 [1.000, 1.100]", "0.500000", "4 -> 5"):
        assert words in text
    assert text.endswith("1 of 1 cases are worse: some, 3 x 2")
    assert table([Row(CASE, side(), side())], **LIMITS).endswith("none of 1 cases is worse")
