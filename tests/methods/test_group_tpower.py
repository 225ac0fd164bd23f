"""GroupTPower against the best of all sets of groups, and what must not matter to it."""

from itertools import combinations

import numpy as np
import pytest
from reference_greedy import variance
from spcabench_methods import PCA, GroupTPower
from spcabench_methods.core.moments import Gram
from spcabench_methods.power.group_tpower import Partition, exchanged

LABELS = np.array([0, 1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 5])


def covariance(seed, d=12):
    X = np.random.default_rng(seed).standard_normal((15, d))
    return X.T @ X / 15


def largest(S, labels, kept):
    return variance(S, np.flatnonzero(np.isin(labels, kept)))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_it_finds_the_best_of_all_sets_of_groups(k):
    found = 0
    for seed in range(20):
        S = covariance(seed)
        best = max(largest(S, LABELS, kept) for kept in combinations(range(6), k))
        fitted = GroupTPower(1, k, groups=LABELS, covariance="precomputed").fit(S)
        assert fitted.objective_[0] == pytest.approx(largest(S, LABELS, fitted.groups_[0]))
        assert len(fitted.groups_[0]) == k
        found += bool(fitted.objective_[0] >= best * (1 - 1e-9))
    assert found >= 19


def test_exchanges_end_where_no_exchange_explains_more():
    for seed in range(20):
        S = covariance(seed)
        kept = exchanged(Gram(S), Partition.of(LABELS, 12), np.array([0, 3, 4])).tolist()
        others = set(range(6)) - set(kept)
        swaps = [{*kept, new} - {old} for old in kept for new in others]
        assert max(largest(S, LABELS, list(swap)) for swap in swaps) <= largest(S, LABELS, kept) * (1 + 1e-9)


@pytest.mark.parametrize(
    "how", [{"n_groups": 6, "groups": LABELS}, {"n_groups": 99, "groups": LABELS}, {"n_groups": 12}]
)
def test_all_groups_are_pca(how):
    S = covariance(3)
    fitted = GroupTPower(3, **how, covariance="precomputed").fit(S)
    dense = PCA(3, covariance="precomputed").fit(S)
    np.testing.assert_allclose(np.abs(fitted.components_), np.abs(dense.components_), atol=1e-6)


def test_form_names_order_and_units_of_what_is_given_do_not_matter():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 12))
    fitted = GroupTPower(2, [2, 3], groups=LABELS).fit(X)
    order, names = rng.permutation(12), np.array(["f", "c", "a", "e", "b", "d"])
    again = GroupTPower(2, [2, 3], groups=names[LABELS][order].tolist(), covariance="precomputed")
    again.fit(4.0 * np.cov(X.T, bias=True)[np.ix_(order, order)])
    np.testing.assert_allclose(again.components_, fitted.components_[:, order], atol=1e-8)
    np.testing.assert_allclose(again.objective_, 4.0 * fitted.objective_)
    for ours, theirs in zip(again.groups_, fitted.groups_, strict=True):
        assert ours.tolist() == sorted(names[theirs])
