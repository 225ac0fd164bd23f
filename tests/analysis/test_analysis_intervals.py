"""How sure a number, a time and a difference are."""

import math

import numpy as np
import pytest
from scipy import stats

from spcabench.analysis.intervals import mean_interval, median_interval, studentised_interval, wilson
from spcabench.analysis.paired import interval_of_mean, surely_differ
from spcabench.analysis.times import clocked


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


QUIET = [1.00, 1.01, 1.02, 0.99, 1.00]


def times(cpu, wall=None, **others):
    return clocked(cpu, cpu if wall is None else wall, **others)


def test_quiet_times_are_summarised_by_their_median():
    found = times([1.0, 1.02, 1.01, 1.0, 1.03])
    assert (found.cpu, found.contended, found.wall_per_cpu) == (1.01, False, 1)


@pytest.mark.parametrize("others", [{"wall": [1.4] * 5}, {"shared": True}])
def test_work_beside_a_fit_is_seen(others):
    assert times(QUIET, **others).contended
    assert times(QUIET, **others).cpu == 0.99


def test_a_little_waiting_is_no_contention_threads_may_wait_and_restless_times_are():
    assert not times(QUIET, [1.2] * 5).contended
    assert not times(QUIET, [2.0] * 5, threads=2).contended
    assert times([1, 1.4, 1, 1.5, 2.0]).contended
    assert not times([1, 1.4, 1, 1.5, 2.0] * 5).contended, "restless as they are, their median is known"
    assert not times([1, 9]).contended


NOISE = np.random.default_rng(0).standard_normal(20)
NOISE -= NOISE.mean()


@pytest.mark.parametrize(
    ("shift", "margin", "sure"),
    [(3.0, 1.0, True), (-3.0, 1.0, True), (0.7, 0.5, True), (0.7, 0.8, False), (0.0, 0.0, False), (0.2, 0.1, False)],
)
def test_two_methods_surely_differ_if_the_interval_excludes_zero_and_the_mean_reaches_the_margin(shift, margin, sure):
    assert surely_differ(NOISE + shift, margin) == sure


def test_draws_that_are_equal_within_the_tolerance_do_not_differ():
    assert surely_differ(np.full(20, 1e-13), 0.0)
    assert not surely_differ(np.full(20, 1e-13), 0.0, tolerance=1e-12)


def test_a_difference_that_is_unknown_turns_the_mean_into_a_median():
    off = np.array([8.0, 7, 6, 8, math.nan, 6, 8, 7])
    assert surely_differ(np.delete(off, 4), 0.5)
    assert not surely_differ(off, 0.5), "of 8 values the interval is their range"
    assert surely_differ(np.append(off, [7.0, 6.0]), 0.5), "the second of 10 values is 6"
    assert not surely_differ(np.append(off, [7.0, 6.0]), 7.5), "their median is 7"
    assert surely_differ(np.full(3, math.nan), 0.5)


def test_many_skewed_draws_have_the_studentised_interval_and_few_or_even_ones_students():
    skewed = np.arange(20.0) ** 4
    assert interval_of_mean(skewed) == studentised_interval(skewed)
    assert interval_of_mean(skewed[:19]) == mean_interval(skewed[:19])
    assert interval_of_mean(NOISE) == mean_interval(NOISE)
