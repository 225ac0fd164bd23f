import math

import numpy as np
import pytest
from scipy import stats

from spcabench.analysis.intervals import mean_interval, median_interval, studentised_interval, wilson


@pytest.mark.parametrize(
    ("found", "n", "low", "high"),
    [(0, 8, 0, 0.32), (8, 8, 0.68, 1), (0, 20, 0, 0.16), (10, 20, 0.30, 0.70), (18, 20, 0.70, 0.97), (50, 50, 0.93, 1)],
)
def test_wilson_has_the_tabled_ends_and_those_of_scipy(found, n, low, high):
    interval = wilson(found, n)
    assert (round(interval.low, 2), round(interval.high, 2)) == (low, high)
    expected = stats.binomtest(found, n).proportion_ci(method="wilson")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


@pytest.mark.parametrize(("n", "low", "high"), [(1, 1, 1), (5, 1, 5), (8, 1, 8), (9, 2, 8), (20, 6, 15), (50, 18, 33)])
def test_a_median_lies_between_these_order_statistics(n, low, high):
    interval = median_interval(np.random.default_rng(0).permutation(n) + 1.0)
    assert (interval.low, interval.high) == (low, high)


def test_the_mean_has_the_interval_of_scipy():
    values = np.random.default_rng(0).standard_normal(7)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    interval = mean_interval(values, 0.9)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
    assert mean_interval([1.0]).high == math.inf


def test_the_studentised_interval_holds_the_mean_of_skewed_draws_more_often_than_students():
    draws = np.exp(np.random.default_rng(0).standard_normal((400, 20)))
    mean = np.exp(0.5)
    students = np.mean([mean_interval(values).holds(mean) for values in draws])
    studentised = np.mean([studentised_interval(values, resamples=500).holds(mean) for values in draws])
    assert students < 0.89 < 0.90 < studentised < 0.96
