import math

import numpy as np
import pytest

from spcabench.analysis.intervals import mean_interval, studentised_interval
from spcabench.analysis.paired import interval_of_mean, surely_differ

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
