"""Whether methods differ over data sets."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import f, friedmanchisquare, rankdata, wilcoxon

from spcabench.analysis.over_datasets import (
    friedman,
    iman_davenport,
    least_datasets,
    signed_rank,
    tiers,
    wilcoxon_holm,
    wins,
)


@pytest.mark.parametrize("decimals", [6, 1])  # without ties, and with many
def test_all_at_once_agrees_with_friedman(decimals):
    values = np.random.default_rng(0).standard_normal((12, 5)).round(decimals)
    n, m = values.shape
    chi = friedmanchisquare(*values.T).statistic
    assert friedman(rankdata(values, axis=1)) == pytest.approx(chi, rel=1e-12)
    expected = f.sf((n - 1) * chi / (n * (m - 1) - chi), m - 1, (m - 1) * (n - 1))
    assert iman_davenport(rankdata(values, axis=1)) == pytest.approx(expected, rel=1e-10)


def test_all_at_once_at_the_ends():
    assert iman_davenport(np.full((6, 3), 2.0)) == 1.0
    assert iman_davenport(np.tile([1.0, 2.0, 3.0], (6, 1))) == 0.0


def test_pairs_are_adjusted_step_by_step():
    values = np.random.default_rng(1).standard_normal((15, 3)) + np.array([[1.5, 0.5, 0.0]])
    pairs = [(0, 1), (0, 2), (1, 2)]
    raw = [wilcoxon(values[:, a] - values[:, b]).pvalue for a, b in pairs]
    first, second, third = np.argsort(raw)
    found = wilcoxon_holm(values)
    assert found[pairs[first]] == pytest.approx(3 * raw[first])
    assert found[pairs[second]] == pytest.approx(max(3 * raw[first], 2 * raw[second]))
    assert found[pairs[third]] == pytest.approx(min(1.0, max(2 * raw[second], raw[third])))
    assert (found == found.T).all()
    assert np.diag(found).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("n", [1, 6, 25])
def test_without_ties_a_pair_has_the_p_of_scipy(n):
    a, b = np.random.default_rng(n).standard_normal((2, n)) + np.array([[0.4], [0.0]])
    assert signed_rank(a, b) == pytest.approx(wilcoxon(a - b, method="exact").pvalue, rel=1e-9)


def test_with_ties_a_pair_has_the_share_of_signs_that_reach_as_much():
    off = np.array([0.0, 0.0, 1.0, 1.0, -1.0, 2.0, 3.0, 3.0])
    ranks = rankdata(np.abs(off))
    reached = [sum(r for r, sign in zip(ranks[2:], signs, strict=True) if sign) for signs in product((0, 1), repeat=6)]
    seen = ranks[off > 0].sum()
    assert signed_rank(off, np.zeros(8)) == pytest.approx(2 * np.mean(np.array(reached) >= seen))


def pair(*off):
    """Return what two methods reach that differ by this, none where the first failed."""
    return np.array([[np.nan if d is None else d, 0.0] for d in off])


def test_ties_are_no_evidence():
    assert wilcoxon_holm(pair(*[0.0] * 15, 0.01, 0.02, 0.03, 0.04, 0.05))[0, 1] > 0.05
    assert wilcoxon_holm(np.zeros((20, 2)))[0, 1] == 1.0


def test_failures_are_the_largest_differences():
    small = (0.1, 0.2, 0.3, 0.4, 0.5)
    assert wilcoxon_holm(pair(*small, None))[0, 1] == wilcoxon_holm(pair(*small, -9.0))[0, 1]
    both = np.vstack([pair(*small), [[np.nan, np.nan]]])
    assert wilcoxon_holm(both)[0, 1] == wilcoxon_holm(pair(*small, 0.0))[0, 1]


def test_tiers_peel_off_the_best():
    rng = np.random.default_rng(2)
    levels = np.array([0.0, 0.0, -1.0, -2.0, -3.0, -4.0, -5.0])
    assert tiers(levels + 0.01 * rng.standard_normal((20, 7))) == [1, 1, 2, 3, 4, 5, 5]


def test_so_many_data_sets_are_needed():
    assert [least_datasets(m * (m - 1) // 2) for m in (2, 3, 5, 8, 10, 20, 40, 70)] == [6, 7, 9, 11, 11, 13, 15, 17]


def test_wins_ties_and_losses_are_counted():
    values = np.array([[3.0, 2.0, 1.0], [1.0, 1.05, 5.0], [np.nan, 1.0, np.nan]])
    assert wins(values, 0.1).tolist() == [[0, 1, 1], [1, 0, 2], [1, 1, 0]]
