"""Block-diagonal reduction: its blocks, its certificate, and any method within it."""

import numpy as np
import pytest
from drawn import covariance
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import GSPCA, BlockDiagonal, ExactSPCA, TPower
from spcabench_methods.reduction.block_diagonal import blocks_above, smallest_eps

GIVEN = {"covariance": "precomputed"}


def sizes(S, eps):
    return sorted(map(len, blocks_above(S, eps)), reverse=True)


# Blocks


@pytest.mark.parametrize(
    "S", [*(covariance(seed, 9, 20) for seed in range(5)), np.eye(9) + 0.5], ids=lambda S: f"{S[0, 0]:.3f}"
)
def test_eps_is_the_smallest_of_all_that_could_be(S):
    scanned = sorted([0.0, *np.abs(S[np.triu_indices(9, 1)])])
    for most in range(1, 10):
        assert smallest_eps(S, most) == next(eps for eps in scanned if sizes(S, eps)[0] <= most)


def test_blocks_have_each_feature_once():
    S = np.eye(6)
    for i, j in ((0, 3), (3, 5), (1, 4)):
        S[i, j] = S[j, i] = 0.5
    assert [block.tolist() for block in blocks_above(S, 0.1)] == [[0, 3, 5], [1, 4], [2]]


# The certificate


def test_bounds_leave_blocks_out():
    S = np.diag([9.0, 9.0, 1.0, 1.0, 1.0])
    for i, j in ((0, 1), (2, 3)):
        S[i, j] = S[j, i] = 0.5
    found = BlockDiagonal(1, 2, eps=0.1, **GIVEN).fit(S)
    assert_allclose(found.objective_, 9.5)
    assert found.n_iter_ == 2


# The method within


@pytest.mark.parametrize(
    ("inner", "whole"),
    [("exact", ExactSPCA(2, 4)), ("greedy", GSPCA(2, 4, direction="forward", polish=True)), ("tpower", TPower(2, 4))],
    ids=str,
)
def test_one_block_is_the_method_itself(X, inner, whole):
    found = BlockDiagonal(2, 4, inner=inner, eps=0.0).fit(X)
    assert_allclose(found.components_, whole.fit(X).components_, atol=1e-7)


def test_an_estimator_is_not_changed():
    S, inner = covariance(0, 8, 20), TPower(3, 5, tol=1e-3, init="max_variance")
    found = BlockDiagonal(2, 3, inner=inner, max_block=4, **GIVEN).fit(S)
    assert_array_equal(found.n_nonzero_, [3, 3])
    assert inner.get_params() == TPower(3, 5, tol=1e-3, init="max_variance").get_params()
    assert not hasattr(inner, "components_")


def test_a_search_that_ended_early_is_said():
    S = np.cov(np.random.default_rng(0).standard_normal((30, 30)).T)
    with pytest.warns(UserWarning, match="components 1 did not converge$"):
        found = BlockDiagonal(1, 8, inner=ExactSPCA(max_iter=1), **GIVEN).fit(S)
    assert not found.converged_[0]
