"""How often a method is near the best."""

import math

import numpy as np
import pytest

from spcabench.analysis.profiles import ratios_to_best, shares

INF = math.inf


def test_a_ratio_is_to_the_best_of_the_problem_and_a_failure_has_none():
    costs = np.array([[5.0, 8.0, INF], [3.0, 5.0, 1.0], [INF, INF, INF]])
    assert ratios_to_best(costs).tolist() == [[1.0, 1.6, INF], [3.0, 5.0, 1.0], [INF, INF, INF]]


def test_who_is_second_depends_on_the_best():
    costs = np.array([[5.0, 8.0, 5.0], [3.0, 5.0, 7.0], [1.0, 8.0, 3.0]])  # Gould and Scott 2016 saw this happen

    def near(some):
        return [shares(column)(2.0) for column in ratios_to_best(some).T]

    assert near(costs) == pytest.approx([1, 2 / 3, 1 / 3])
    assert near(costs[:, 1:]) == pytest.approx([2 / 3, 1])


def test_a_cost_of_nothing_counts_as_the_floor():
    costs = np.array([[0.0, 1e-9, 0.5]])
    assert ratios_to_best(costs).tolist() == [[1.0, INF, INF]]
    assert ratios_to_best(costs, 1e-6).tolist() == [pytest.approx([1.0, 1.0, 5e5])]


def test_a_share_counts_failures_among_all_problems():
    found = shares(np.array([1.0, 1.0, 3.0, INF]))
    assert [found(at) for at in (0.5, 1.0, 2.9, 3.0, 1e9)] == [0.0, 0.5, 0.5, 0.75, 0.75]
