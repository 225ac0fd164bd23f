"""PCA, thresholds and EESPCA: plain programs, rules for thresholds, and where they fail."""

import warnings

import numpy as np
import pytest
import reference_power
import reference_thresholding as reference
from drawn import covariance
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import (
    EESPCA,
    PCA,
    CovarianceThresholding,
    DiagonalThresholding,
    LowRankThresholding,
    SimpleThresholding,
)
from spcabench_methods.classic import eespca

GIVEN = {"covariance": "precomputed"}


def spiked(seed, n, d, k, b):
    """Draw noise of variance 1 with a spike on the first k features."""
    rng = np.random.default_rng(seed)
    v = np.zeros(d)
    v[:k] = k**-0.5
    return rng.standard_normal((n, d)) + np.sqrt(b) * np.outer(rng.standard_normal(n), v)


@pytest.mark.parametrize("seed", [0, 5])
def test_the_plain_programs(seed):
    S = covariance(seed, 9)
    median = float(np.median(S.diagonal()))
    for k in (2, 4, 7):
        for method, expected in (
            (DiagonalThresholding(1, k), reference.diagonal(S, k)),
            (LowRankThresholding(1, k), reference.low_rank(S, k, 1)),
            (LowRankThresholding(1, k, rank=3), reference.low_rank(S, k, 3)),
            (LowRankThresholding(1, k, rank="best"), reference.best_rank(S, k)),
            (CovarianceThresholding(1, k), reference.best_of_grid(S, k)),
            (CovarianceThresholding(1, k, tau=0.02), reference.thresholded(S, k, 0.02, median)),
            (CovarianceThresholding(1, k, tau=0.02, noise=0.1), reference.thresholded(S, k, 0.02, 0.1)),
        ):
            found = method.set_params(**GIVEN).fit(S)
            assert_allclose(found.components_[0], reference_power.with_sign(expected), atol=1e-9, err_msg=repr(method))
            assert_allclose(found.objective_[0], expected @ S @ expected)


def test_ranks_between_simple_and_diagonal_thresholding(X):
    d = X.shape[1]
    for refit in (False, True):
        found = LowRankThresholding(1, 4, refit=refit).fit(X)
        assert_allclose(found.components_, SimpleThresholding(1, 4, refit=refit).fit(X).components_, atol=1e-9)
    full = LowRankThresholding(1, 4, rank=d).fit(X)
    assert_allclose(full.components_, DiagonalThresholding(1, 4).fit(X).components_, atol=1e-9)


# Rules


def test_variances_far_above_the_noise():
    X = spiked(0, 400, 60, 6, 9.0)
    found = DiagonalThresholding(1, alpha=3.0).fit(X)
    S = np.cov(X.T, bias=True)
    least = np.median(S.diagonal()) * (1.0 + 3.0 * np.sqrt(np.log(400) / 400))
    assert_array_equal(found.components_[0] != 0.0, S.diagonal() >= least)
    assert found.n_nonzero_[0] == 6
    given = DiagonalThresholding(1, alpha=3.0, n_samples=400, **GIVEN).fit(S)
    assert_allclose(given.components_, found.components_, atol=1e-9)
    with pytest.warns(UserWarning, match="the largest is taken"):
        assert DiagonalThresholding(1, alpha=99.0).fit(X).n_nonzero_[0] == 1
    with pytest.raises(ValueError, match="n_samples is None"):
        DiagonalThresholding(1, alpha=3.0, **GIVEN).fit(S)


def test_variances_that_tie_are_said(pitprops):
    with pytest.warns(UserWarning, match="the 4 largest variances tie with others"):
        found = DiagonalThresholding(1, 4, **GIVEN).fit(pitprops)
    leading = np.abs(np.linalg.eigh(pitprops)[1][:, -1])
    assert_array_equal(np.flatnonzero(found.components_[0]), np.sort(np.argsort(-leading)[:4]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DiagonalThresholding(1, 13, **GIVEN).fit(pitprops)


def test_the_threshold_of_the_noise():
    S = covariance(0, 30)
    above = S[np.triu_indices(30, 1)]
    expected = 2.0 * np.median(np.abs(above - np.median(above))) / 0.6745
    assert_allclose(CovarianceThresholding(1, 3, tau="noise", nu=2.0, **GIVEN).fit(S).tau_, expected)


def test_blocks_leave_fewer_nonzeros():
    S = np.diag([3.0, 2.0, 1.0, 1.0])
    S[0, 1] = S[1, 0] = 0.8
    with pytest.warns(UserWarning, match="component 1: 2 for 3"):
        found = CovarianceThresholding(1, 3, tau=0.3, **GIVEN).fit(S)
    assert_array_equal(found.exact_cardinality_, [False])
    with pytest.warns(UserWarning, match="component 1: 1 for 3"):
        found = CovarianceThresholding(1, 3, tau=99.0, **GIVEN).fit(S)
    assert_array_equal(found.components_, [[1.0, 0.0, 0.0, 0.0]])


# Several components without deflation


def test_all_components_at_once(X):
    dense = DiagonalThresholding(2, X.shape[1], deflation=None).fit(X)
    assert_allclose(dense.components_, PCA(2).fit(X).components_, atol=1e-8)
    joint = DiagonalThresholding(2, 4, deflation=None).fit(X).components_
    assert_array_equal(joint[0] != 0.0, joint[1] != 0.0)
    assert_allclose(joint @ joint.T, np.eye(2), atol=1e-9)
    with pytest.raises(ValueError, match="different numbers"):
        DiagonalThresholding(2, [4, 3], deflation=None).fit(X)


def test_pca_is_the_singular_value_decomposition_and_thresholding_truncates_it(X):
    expected = [reference_power.with_sign(v) for v in np.linalg.svd(reference_power.centred(X))[2][:4]]
    pca = PCA(n_components=4).fit(X).components_
    assert_allclose(pca, expected, atol=1e-10)
    direct = SimpleThresholding(n_components=3, n_nonzero=[2, 5, 3]).fit(X).components_
    truncated = [reference_power.unit(reference_power.largest(v, k)) for v, k in zip(pca, [2, 5, 3], strict=False)]
    assert_allclose(direct, truncated, atol=1e-10)
    default = SimpleThresholding(n_components=3).fit(X).components_
    assert_array_equal(default != 0, np.abs(pca[:3]) > X.shape[1] ** -0.5)
    with pytest.warns(UserWarning, match="components 1, 2 are zero"):
        assert not SimpleThresholding(threshold=1.0).fit(X).components_.any()


def test_entries_are_found_a_few_at_a_time_and_then_kept_from_the_threshold_on(X, monkeypatch):
    """What they are is held by the checks of published numbers."""
    a = EESPCA(1, threshold=0.0).fit(X).components_[0]
    monkeypatch.setattr(eespca, "AT_ONCE", 3)
    for threshold in (0.0, 0.2):
        kept = np.where(np.abs(a) < threshold, 0.0, a)
        assert_allclose(EESPCA(1, threshold=threshold).fit(X).components_[0], reference_power.unit(kept), atol=1e-9)


def test_equal_entries_are_kept():
    S = np.full((4, 4), 0.5) + 0.5 * np.eye(4)
    assert_allclose(EESPCA(1, covariance="precomputed").fit(S).components_, [[0.5] * 4])
