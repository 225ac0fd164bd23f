"""The shared starts: what replaces a start that the data have no use for, and what comes from the start alone."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_datasets.hastie import load_hastie as load
from spcabench_methods import RSPCA, RSVD, RSVDGPB, SPCA, TPower
from spcabench_methods.core.blocks import Block, largest, smallest
from spcabench_methods.core.moments import Gram
from spcabench_methods.core.starts import Starts, independent, seen

RANDOM = np.random.RandomState(0)


def drawn(d=6):
    A = np.random.default_rng(2).standard_normal((2 * d, d))
    return A.T @ A / len(A)


def test_a_start_has_no_part_in_what_does_not_vary_and_makes_way_where_it_has_no_variance():
    S = drawn()
    S[2] = S[:, 2] = 0.0
    assert_allclose(seen(Gram(S), np.arange(6.0)), np.array([0, 1, 0, 3, 4, 5]) / np.sqrt(51.0))
    S = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 0.5]])
    assert_array_equal(seen(Gram(S), np.array([1.0, 1.0, 0.0])), [1.0, 0.0, 0.0])


def test_a_column_that_adds_nothing_makes_way_for_a_cosine_and_these_for_eigenvectors():
    S = drawn()
    waves = np.cos(np.pi * np.outer(np.arange(6) + 0.5, [0, 1, 2]) / 6)
    found = independent(Gram(S), np.ones((6, 3)), np.eye(6)[:, :3])
    assert_allclose(found, waves / np.linalg.norm(waves, axis=0), atol=1e-15)
    S[:, 1] = S[:, 0]
    S[1] = S[0]  # the first two features are the same: their unit vectors have the same scores
    found = independent(Gram(S), np.eye(6)[:, :3], np.eye(6)[:, :3])
    assert_allclose(found[:, :2], np.eye(6)[:, [0, 2]])
    assert_allclose(found[:, 2], waves[:, 1] / np.linalg.norm(waves[:, 1]))
    S = np.diag([1.0, 1e-12, 1e-12, 1e-12])
    assert_array_equal(independent(Gram(S), np.ones((4, 2)), np.eye(4)[:, :2]), np.eye(4)[:, :2])


def test_random_starts_are_the_same_for_each_fit_of_a_search():
    starts = Starts("random", 3, RANDOM, 2, 6)
    first = starts.vectors(Gram(drawn()), 0)
    assert len(first) == 3
    assert_array_equal(starts.vectors(Gram(drawn()), 0), first)
    assert not np.array_equal(starts.vectors(Gram(drawn()), 1), first)


def test_the_best_block():
    W = np.eye(2)
    ends = [Block(W, np.array(values), 1, done) for values, done in (([1.0, 3.0], True), ([3.0, 2.0], False))]
    assert_array_equal(largest(ends).objectives, [3.0, 2.0])
    assert_array_equal(smallest(ends).objectives, [1.0, 3.0])
    assert not smallest(ends).converged


def reached(method, n_init):
    X = np.random.default_rng(0).standard_normal((40, 60))
    return method.set_params(init="random", n_init=n_init, random_state=2).fit(X).objective_.sum()


@pytest.mark.parametrize("method", [TPower(1, 6), RSVDGPB(3, 6, truncation="sp"), RSPCA(1, 6)], ids=repr)
def test_of_random_starts_the_largest_end_is_kept(method):
    assert reached(method, 30) > 1.01 * reached(method, 1)


@pytest.mark.parametrize("method", [RSVD(1, 6), SPCA(3, 6)], ids=repr)
def test_of_random_starts_the_smallest_end_is_kept_where_the_objective_is_minimised(method):
    assert reached(method, 6) < reached(method, 1) - 1e-3


SUPPORTS = {(4, 5, 6, 7), (0, 1, 2, 3)}


@pytest.mark.parametrize("variance", [1000.0, 6000.0])
@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.nightly) for s in range(1, 6))])
def test_the_start_and_not_the_norm_finds_the_supports_under_outliers(variance, seed):
    """Equal entries lead to them with the l1 norm and with variances; the leading eigenvector with neither."""
    X = load(np.random.default_rng(seed), 10, 10_000, 1.0, variance, 0.05, 0).X
    for kind in (RSPCA, TPower):
        for init, finds in (("ones", True), ("pca", False), ("max_variance", False)):
            W = kind(2, 4, init=init).fit(X).components_
            assert ({tuple(np.flatnonzero(w).tolist()) for w in W} == SUPPORTS) is finds
