import math

import numpy as np
import pytest
from scipy import stats

from spcabench.analysis.intervals import mean_interval, studentised_interval
from spcabench.analysis.paired import compare

NOISE = np.random.default_rng(0).standard_normal(20)


@pytest.mark.parametrize(
    ("shift", "margin", "verdict"),
    [
        (3.0, 1.0, "better"),
        (-3.0, 1.0, "worse"),
        (0.7, 0.5, "different, size open"),
        (0.0, 1.0, "equivalent"),
        (0.0, 0.1, "not distinguished"),
    ],
)
def test_verdicts_follow_interval_and_margin(shift, margin, verdict):
    centred = NOISE - NOISE.mean()
    other = np.random.default_rng(1).standard_normal(20)
    assert compare(other + centred + shift, other, margin).verdict == verdict


@pytest.mark.parametrize(("margin", "verdict"), [(0.9, "equivalent"), (0.75, "not distinguished")])
def test_an_equivalence_takes_two_one_sided_tests(margin, verdict):
    """The margin is a share of the 95 % half-width, of which the 90 % half-width is 0.82 at 15 draws."""
    noise = np.random.default_rng(2).standard_normal(15)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    half = stats.t.ppf([0.95, 0.975], 14) / math.sqrt(15)
    assert half[0] / half[1] == pytest.approx(0.82, abs=0.005)
    found = compare(1.0 + noise, np.ones(15), margin * half[1])
    assert found.interval.high == pytest.approx(half[1])
    assert found.verdict == verdict


def test_equal_draws_are_called_identical_on_these_draws_alone():
    found = compare(NOISE + 1e-13, NOISE, 0.1, tolerance=1e-12)
    assert found.verdict == "identical on these draws"
    assert found.middle == 0


def test_a_failure_turns_the_mean_into_a_median():
    first = [9.0, 9, 9, 9, math.nan, 9, 9, 9]
    second = [1.0, 2, 3, 1, 2, 3, 1, 2]
    found = compare(first, second, 0.5)
    assert found.middle == 7
    assert found.interval.low == -math.inf
    assert found.verdict == "not distinguished"


def test_draws_that_both_failed_count_for_neither_and_one_draw_distinguishes_nothing():
    assert compare([math.nan] * 3, [math.nan] * 3, 0).verdict == "identical on these draws"
    assert compare([5.0], [1.0], 0).verdict == "not distinguished"
    with pytest.raises(ValueError, match="pair by pair"):
        compare([1.0, 2], [1.0], 0)


def test_many_skewed_draws_have_the_studentised_interval_and_few_or_even_ones_students():
    skewed = np.arange(20.0) ** 4
    assert compare(skewed, np.zeros(20), 0.0).interval == studentised_interval(skewed)
    assert compare(skewed[:19], np.zeros(19), 0.0).interval == mean_interval(skewed[:19])
    assert compare(NOISE, np.zeros(20), 0.0).interval == mean_interval(NOISE)
