import math

import numpy as np
import pytest
from scipy.stats import rankdata

from spcabench.analysis.best import may_be_best
from spcabench.analysis.inference import ranked


def draws(n, means, sd=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return np.asarray(means, dtype=float) + 3 * rng.standard_normal((n, 1)) + sd * rng.standard_normal((n, len(means)))


def test_ranks_are_those_of_scipy_and_close_values_share_them():
    values = np.array([3.0, 1, 2, 3, 2, 2])
    assert ranked(values, 0.0) == pytest.approx(rankdata(-values))
    assert ranked(np.array([1.0, 1 + 1e-13, 0.5]), 1e-12) == pytest.approx([1.5, 1.5, 3])
    assert np.isnan(ranked(np.array([math.nan, 1.0]), 0.0)).tolist() == [True, False]


def test_a_method_three_noise_levels_worse_is_found_from_eight_draws_on():
    found = [may_be_best(draws(8, [0, 0, -3], seed=seed)) for seed in range(30)]
    assert sum(~row[2] for row in found) >= 28


def test_equals_are_rarely_left_out():
    """At level 0.05; a comparison with the best of the sample leaves out a third."""
    found = np.array([may_be_best(draws(8, np.zeros(20), seed=seed)) for seed in range(30)])
    assert 0.92 <= found.mean() < 1


def test_the_margin_keeps_what_is_as_good_for_every_purpose():
    values = draws(8, [0, -0.5], sd=0.01)
    assert list(may_be_best(values)) == [True, False]
    assert list(may_be_best(values, margin=0.6)) == [True, True]


def test_constant_differences_are_certain():
    base = np.tile(np.arange(5.0)[:, None], 3)
    assert list(may_be_best(base + np.array([1.0, 0.0, 1.0]))) == [True, False, True]
    assert list(may_be_best(base + np.array([1, 1 - 1e-13, 0]), tolerance=1e-12)) == [True, True, False]


@pytest.mark.parametrize("n", [1, 3, 4])
def test_with_few_draws_all_within_the_margin_are_left(n):
    values = np.tile([1.0, 0.95, 0.5], (n, 1))
    assert list(may_be_best(values, margin=0.1)) == [True, True, False]
    assert list(may_be_best(values)) == [True, False, False]


@pytest.mark.parametrize(("failed", "best"), [(1, [True, True]), (3, [False, True]), (4, [False, True])])
def test_who_failed_one_draw_of_five_is_not_alone_and_who_failed_most_is_not_the_best(failed, best):
    values = np.array([[math.nan if draw < failed else 99.0, 1.0] for draw in range(5)])
    assert list(may_be_best(values)) == best
    assert not may_be_best(np.full((5, 2), math.nan)).any()


def test_a_method_that_failed_changes_the_others_only_by_its_ranks():
    values = draws(6, [0, -0.5], sd=0.01)
    assert list(may_be_best(np.column_stack([values, [math.nan] * 5 + [99.0]]), margin=0.6)) == [True, True, False]
    once = np.array([[1.0, 0.9995, 0.9994]] * 4 + [[1.0, 0.9995, math.nan]] * 2)
    assert list(may_be_best(once, margin=0.001)) == [True, True, True]
    assert list(may_be_best(once)) == [True, False, False]


def test_beyond_ten_draws_random_flips_say_the_same():
    assert list(may_be_best(draws(12, [0, 0, -3]))) == [True, True, False]


def test_order_of_methods_and_scale_do_not_matter():
    values = draws(8, [0, -1, -2, 0.3, -0.4])
    found = may_be_best(values)
    assert list(may_be_best(1e-6 * values[:, ::-1])) == list(found[::-1])
