"""Loadings without negative entries: against all supports of small matrices, and what holds at each step."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from spcabench_methods import EMPCA, TPower
from spcabench_methods.core.moments import Gram
from spcabench_methods.power.positive import positive_power


def best_variance(S, k):
    """Return the largest w'Sw of unit w of at most k positive entries and no negative one.

    It is the largest eigenvalue of a block of S whose leading eigenvector has one sign.
    """
    found = S.diagonal().max()
    for size in range(2, k + 1):
        for support in combinations(range(len(S)), size):
            values, vectors = np.linalg.eigh(S[np.ix_(support, support)])
            if np.all(vectors[:, -1] > 0) or np.all(vectors[:, -1] < 0):
                found = max(found, values[-1])
    return found


def drawn(seed, d=8):
    return np.cov(np.random.default_rng(seed).standard_normal((12, d)), rowvar=False, bias=True)


@pytest.mark.parametrize("k", [1, 2, 4, 8])
@pytest.mark.filterwarnings("ignore:the requested cardinality")
def test_it_finds_the_best_of_all_supports(k):
    lost = []
    for seed in range(40):
        S = drawn(seed)
        found = TPower(1, k, nonnegative=True, covariance="precomputed").fit(S)
        w = found.components_[0]
        assert w.min() >= 0
        assert 1 <= np.count_nonzero(w) <= k
        assert_allclose(np.linalg.norm(w), 1)
        lost.append(1 - w @ S @ w / best_variance(S, k))
    assert min(lost) > -1e-9
    assert np.mean(np.array(lost) < 1e-5) >= 0.9


def test_no_step_lowers_the_variance():
    S = drawn(3, 30)
    start = np.full(30, 30**-0.5)
    reached = [positive_power(Gram(S), 5, start, 0.0, steps).objective for steps in range(1, 12)]
    assert np.all(np.diff(reached) >= -1e-12 * reached[-1])
    assert reached[-1] > reached[0]


def test_fewer_positive_entries_are_told():
    S = np.full((3, 3), -0.9) + 2.9 * np.eye(3)
    with pytest.warns(UserWarning, match="component 1: 1 for 2"):
        found = TPower(1, 2, nonnegative=True, covariance="precomputed").fit(S)
    assert found.exact_cardinality_.tolist() == [False]
    assert not hasattr(TPower(1, 2, covariance="precomputed").fit(S), "exact_cardinality_")


@pytest.mark.parametrize("init", ["several", "published", "pca", "random", np.array([-1.0, *[0.5] * 11])])
def test_features_and_rows_in_another_order_change_nothing(init):
    rng = np.random.default_rng(5)
    X = np.abs(rng.standard_normal((60, 12)) + rng.standard_normal((60, 1)) * (np.arange(12) < 5))
    order = np.random.default_rng(0).permutation(12)
    pca = TPower(2, 4, nonnegative=True, init=init, random_state=0)
    W = pca.fit(X).components_
    assert_allclose(pca.fit(7 * X[::-1]).components_, W, atol=1e-6)
    if isinstance(init, str) and init != "random":
        assert_allclose(pca.fit(X[:, order]).components_, W[:, order], atol=1e-6)
    assert np.all(W >= 0)


def test_the_first_component_explains_no_less_than_that_of_empca():
    for seed in range(10):
        X = np.random.default_rng(seed).standard_normal((50, 20)) @ np.diag(np.linspace(1, 2, 20))
        mine, other = TPower(1, 5, nonnegative=True).fit(X), EMPCA(1, 5, nonnegative=True, random_state=0).fit(X)
        assert mine.cpev_[0] >= other.cpev_[0] * (1 - 1e-5)
