import math

import numpy as np
import pytest
from scipy import stats

from spcabench.analysis.verdicts import Number, discoveries, judge, prediction_p, quantile_p, uninformative

RNG = np.random.default_rng(0)
DRAWS = tuple(RNG.standard_normal(39))


def judged(published, ours, random=True, **more):
    return judge([Number(published, ours, random, **more)])[0]


def verdict(published, ours, random=True, **more):
    return judged(published, ours, random, **more).verdict


@pytest.mark.parametrize(
    ("off", "said"), [(0.0, "reproduced"), (0.009, "reproduced"), (0.011, "refuted"), (-0.011, "refuted")]
)
def test_one_deterministic_value_is_reproduced_within_the_tolerance(off, said):
    assert verdict(1.0, [1.0 + off], random=False, tolerance=0.01) == said


def test_rounding_to_the_printed_digits_is_no_difference():
    assert verdict(0.87, [0.8704], random=False) == "refuted"
    assert verdict(0.87, [0.8704], random=False, half_unit=0.0005) == "reproduced"


def test_a_wide_spread_is_not_agreement():
    """A share of 0.1 beside 0.435 +- 0.354 was within two standard deviations."""
    ours = 0.435 + 0.354 * (RNG.permutation(39) - 19) / 11.4
    assert judged(0.1, ours, range=(0, 1)).why.startswith("uninformative")
    assert verdict(0.1, ours, range=(0, 1)) == "open"


def test_a_mean_that_is_far_off_is_not_reproduced_though_the_draws_hold_the_number():
    ours = 10.0 + 4.0 * np.array(DRAWS) - 4.0 * np.mean(DRAWS)
    assert verdict(8.1, ours) == "reproduced"
    assert verdict(7.9, ours) == "open"
    assert "mean is off by +27 %" in judged(7.9, ours).why


def test_a_number_near_zero_is_measured_by_the_range():
    ours = 0.04 + 0.1 * (np.array(DRAWS) - np.mean(DRAWS))
    assert verdict(0.001, ours, range=(-1, 1)) == "reproduced"
    assert verdict(0.001, ours + 0.02, range=(-1, 1)) == "open"


def test_draws_that_tie_are_no_shield():
    """All of 40 draws are 0: a number 0.4 off departs among many numbers too, which its quantile never could."""
    many = [Number(float(x), DRAWS, True) for x in DRAWS] * 4
    for off, said in ((0.4, "refuted"), (0.1, "open"), (0.0, "reproduced")):
        assert judge([Number(off, [0.0] * 40, True, range=(0, 1)), *many])[0].verdict == said
    ours = [0.0] * 30 + [0.1] * 10
    assert judge([Number(0.1, ours, True, range=(0, 1)), *many])[0].verdict == "open"
    assert judge([Number(0.8, ours, True, range=(0, 1)), *many])[0].verdict == "refuted"
    assert verdict(0.1, [0.0] * 10, range=(0, 1)) == "open", "few draws of few values say nothing"


def test_a_draw_is_placed_among_39_and_fewer_say_only_what_is_plain():
    assert (verdict(float(np.mean(DRAWS)), DRAWS, tolerance=0.01), verdict(9.0, DRAWS)) == ("reproduced", "refuted")
    assert judged(1.0, DRAWS[:38]).why == "too few draws: 38"
    assert judged(2.5, DRAWS[:1]).why == "too few draws: 1"
    assert verdict(505.64, [497.1, 496.8, 497.5], tolerance=5.05) == "refuted"
    assert math.isnan(judged(2.5, DRAWS[:38]).p)


def test_draws_within_the_tolerance_are_enough_even_if_they_are_few():
    assert verdict(570.32, [569.0, 570.5, 569.9], tolerance=5.7) == "reproduced"
    assert verdict(570.32, [569.0, 570.5, 569.9], tolerance=0.5) == "open"
    assert verdict(570.32, [570.32], tolerance=5.7) == "open"


@pytest.mark.parametrize(("share", "said"), [(0.9, "reproduced"), (0.75, "open")])
def test_an_equivalence_takes_two_one_sided_tests(share, said):
    """The tolerance is a share of the 95 % half-width, of which the 90 % half-width is 0.82 at 15 draws."""
    noise = np.random.default_rng(2).standard_normal(15)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    half = stats.t.ppf([0.95, 0.975], 14) / math.sqrt(15)
    assert half[0] / half[1] == pytest.approx(0.82, abs=0.005)
    assert verdict(10.0, 10.0 + noise, tolerance=share * half[1]) == said


def test_some_of_many_numbers_lie_outside_by_chance():
    rng = np.random.default_rng(1)
    numbers = [Number(5.0 + rng.standard_normal(), tuple(5.0 + rng.standard_normal(99)), True) for _ in range(200)]
    found = judge([*numbers, Number(12.0, DRAWS, True)])
    assert 3 <= sum(one.p <= 0.05 for one in found) <= 20
    assert [one.verdict for one in found].count("refuted") == 1
    assert found[-1].verdict == "refuted"


def test_a_mean_of_many_draws_is_held_to_less():
    far = float(np.mean(DRAWS)) + 1.2
    assert verdict(far, DRAWS) == "open"
    assert verdict(far, DRAWS, n_published=50) == "refuted"
    near = [4.0 + draw for draw in DRAWS[:8]]
    assert verdict(float(np.mean(near)) + 0.1, near, n_published=50) == "reproduced"
    assert verdict(float(np.mean(near[:7])) + 0.1, near[:7], n_published=50) == "open"


def test_nothing_measured_is_no_verdict():
    assert [judged(1.0, (), random)[:2] for random in (True, False)] == [("open", "nothing was measured")] * 2


# The p-values

MORE = np.array(DRAWS)


def test_a_number_outside_of_39_draws_departs_at_five_percent():
    assert quantile_p(99, MORE) == pytest.approx(0.05)
    assert quantile_p(99, MORE[:20]) == pytest.approx(2 / 21)
    assert quantile_p(float(np.median(MORE)), MORE) == 1


def test_rounding_is_no_departure():
    assert quantile_p(1.15, np.full(39, 1.149)) == pytest.approx(0.05)
    assert quantile_p(1.15, np.full(39, 1.149), half_unit=0.005) == 1
    assert prediction_p(1.15, [1.149, 1.149], half_unit=0.005) == 1
    assert prediction_p(1.15, [1.149, 1.149]) == 0


def test_one_more_draw_is_judged_as_scipy_judges_two_samples():
    """With R = 1 the prediction interval is the t test of one draw against n with a common variance."""
    t = (2.0 - MORE.mean()) / (MORE.std(ddof=1) * math.sqrt(1 + 1 / 39))
    assert prediction_p(2.0, MORE) == pytest.approx(2 * stats.t.sf(t, 38))
    assert prediction_p(2.0, MORE, n_published=50) < prediction_p(2.0, MORE)
    assert math.isnan(prediction_p(2.0, [1.0]))


def test_draws_all_over_the_range_say_nothing():
    assert uninformative([0.1, 0.9, 0.5], 0, 1)
    assert not uninformative([0.5, 0.51, 0.52, 0.5], 0, 1)
    assert not uninformative([1.0, 9.0], 0, math.inf)


def test_false_discoveries_are_those_of_scipy():
    p = np.array([0.001, 0.2, 0.012, 0.03, 0.9, 0.013])
    assert list(discoveries(p)) == list(stats.false_discovery_control(p) <= 0.05)
    assert list(discoveries([math.nan, 0.04])) == [False, True]
    assert not discoveries([]).any()
