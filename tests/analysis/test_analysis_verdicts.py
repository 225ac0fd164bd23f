import math

import numpy as np
import pytest

from spcabench.analysis.verdicts import Number, judge

RNG = np.random.default_rng(0)
DRAWS = tuple(RNG.standard_normal(39))


def verdict(published, ours, random=True, **more):
    return judge([Number(published, ours, random, **more)])[0][0]


@pytest.mark.parametrize(
    ("off", "said"), [(0.0, "matches"), (0.009, "matches"), (0.011, "differs"), (-0.011, "differs")]
)
def test_one_deterministic_value_matches_within_the_tolerance(off, said):
    assert verdict(1.0, [1.0 + off], random=False, tolerance=0.01) == said


def test_rounding_to_the_printed_digits_is_no_difference():
    assert verdict(0.87, [0.8704], random=False) == "differs"
    assert verdict(0.87, [0.8704], random=False, half_unit=0.0005) == "matches"


def test_a_wide_spread_is_not_agreement():
    """A share of 0.1 beside 0.435 +- 0.354 was within two standard deviations."""
    ours = 0.435 + 0.354 * (RNG.permutation(39) - 19) / 11.4
    assert verdict(0.1, ours, range=(0, 1)) == "uninformative"
    assert verdict(0.1, ours, range=(0, 100)) == "consistent"


def test_a_draw_is_placed_among_39_and_fewer_say_only_what_is_plain():
    assert (verdict(0.0, DRAWS), verdict(9.0, DRAWS)) == ("consistent", "departs")
    assert verdict(1.0, DRAWS[:38]) == "too few draws to say"
    assert verdict(2.5, DRAWS[:1]) == "too few draws to say"
    assert verdict(505.64, [497.1, 496.8, 497.5], tolerance=5.05) == "departs"
    assert math.isnan(judge([Number(2.5, DRAWS[:38], True)])[0][1])


def test_draws_within_the_tolerance_match_even_if_they_are_few():
    assert verdict(570.32, [569.0, 570.5, 569.9], tolerance=5.7) == "matches"
    assert verdict(570.32, [569.0, 570.5, 569.9], tolerance=0.5) == "too few draws to say"
    assert verdict(570.32, [570.32], tolerance=5.7) == "too few draws to say"


def test_few_values_of_a_metric_make_no_small_p():
    """All of ten draws are 0, and 0.1 is one wrong decision: that nothing of the sort was drawn shows little."""
    assert verdict(0.1, [0.0] * 10, range=(0, 1)) == "too few draws to say"
    assert verdict(0.1, [0.0] * 39, range=(0, 1)) == "departs"
    ours = [Number(0.1, [0.0] * 39, True)] + [Number(0.0, DRAWS, True)] * 9
    assert judge(ours)[0][0] == "unusual"


def test_some_of_many_numbers_are_unusual_by_chance():
    rng = np.random.default_rng(1)
    numbers = [Number(rng.standard_normal(), tuple(rng.standard_normal(99)), True) for _ in range(200)]
    found = judge([*numbers, Number(12.0, DRAWS, True)])
    assert 3 <= sum(p <= 0.05 for _, p in found) <= 20
    assert [verdict for verdict, _ in found].count("departs") == 1
    assert found[-1][0] == "departs"


def test_a_mean_of_many_draws_is_held_to_less():
    far = float(np.mean(DRAWS)) + 1.2
    assert verdict(far, DRAWS) == "consistent"
    assert verdict(far, DRAWS, n_published=50) == "departs"
    assert verdict(far, DRAWS[:7], n_published=1) == "too few draws to say"
    assert verdict(float(np.mean(DRAWS[:8])), DRAWS[:8], n_published=50) == "consistent"
    assert verdict(float(np.mean(DRAWS[:7])), DRAWS[:7], n_published=50) == "too few draws to say"


def test_nothing_measured_is_no_verdict():
    assert verdict(1.0, ()) == verdict(1.0, (), random=False) == "not measured"
