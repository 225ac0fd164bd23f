import math

import numpy as np
import pytest
from scipy import stats

from spcabench.analysis.agreement import order
from spcabench.analysis.verdicts import discoveries, prediction_p, quantile_p, uninformative

DRAWS = np.random.default_rng(0).standard_normal(39)


def test_a_number_outside_of_39_draws_departs_at_five_percent():
    assert quantile_p(99, DRAWS) == pytest.approx(0.05)
    assert quantile_p(99, DRAWS[:20]) == pytest.approx(2 / 21)
    assert quantile_p(float(np.median(DRAWS)), DRAWS) == 1


def test_rounding_is_no_departure():
    assert quantile_p(1.15, np.full(39, 1.149)) == pytest.approx(0.05)
    assert quantile_p(1.15, np.full(39, 1.149), half_unit=0.005) == 1
    assert prediction_p(1.15, [1.149, 1.149], half_unit=0.005) == 1
    assert prediction_p(1.15, [1.149, 1.149]) == 0


def test_one_more_draw_is_judged_as_scipy_judges_two_samples():
    """With R = 1 the prediction interval is the t test of one draw against n with a common variance."""
    t = (2.0 - DRAWS.mean()) / (DRAWS.std(ddof=1) * math.sqrt(1 + 1 / 39))
    assert prediction_p(2.0, DRAWS) == pytest.approx(2 * stats.t.sf(t, 38))
    assert prediction_p(2.0, DRAWS, n_published=50) < prediction_p(2.0, DRAWS)
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


@pytest.mark.parametrize("seed", range(4))
def test_tau_is_that_of_scipy_with_ties_too(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 5, 7).astype(float), rng.standard_normal(7)
    assert order(a, b).tau == pytest.approx(stats.kendalltau(a, b).statistic)
    c = rng.permutation(7).astype(float)
    assert order(c, b).p == pytest.approx(stats.kendalltau(c, b, alternative="greater", method="exact").pvalue)


@pytest.mark.parametrize(("swaps", "verdict"), [(0, "same order"), (1, "mostly"), (2, "not the order")])
def test_five_items_bear_one_reversed_pair(swaps, verdict):
    ours = np.arange(5.0)
    for place in range(swaps):
        ours[[2 * place, 2 * place + 1]] = ours[[2 * place + 1, 2 * place]]
    found = order(np.arange(5.0), ours)
    assert (found.verdict, len(found.reversed), found.n_decided) == (verdict, swaps, 10)


def test_rounding_few_items_and_undecided_pairs_are_no_evidence():
    assert order([1.0, 2, 3], [1.0, 2, 3]).verdict == "too few items"
    published, ours = [1.0, 2.0, 3.0, 3.1], [1.0, 2.0, 3.2, 3.0]
    assert order(published, ours, half_unit=0.05).reversed == ()
    assert order(published, ours).reversed == ((2, 3),)
    found = order(published, ours, undecided=np.ones((4, 4), dtype=bool))
    assert (found.verdict, found.reversed, found.n_decided) == ("undecided", (), 0)


def test_many_items_are_judged_by_random_orders():
    found = order(np.arange(12.0), np.arange(12.0))
    assert (found.verdict, found.tau) == ("same order", 1)
    assert found.p == pytest.approx(1e-4)
