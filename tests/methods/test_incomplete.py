"""Second moments of samples with missing values or weights, against their definitions."""

import numpy as np
import pytest
from spcabench_methods import RSPCA, MomentSPCA, SimpleThresholding, TPower
from spcabench_methods.incomplete.moments import Gaussian, em_moments, pairwise_moments

NONE = np.full(12, 1 / 12)


def holed(seed, n=12, d=5, share=0.3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) + rng.standard_normal(d)
    X[rng.random(X.shape) < share] = np.nan
    X[0] = np.arange(d)  # so that each pair is seen
    return X


def expected(model, X, weights):
    """Return the moments that a Gaussian model expects, by the formulas of conditional means and covariances."""
    covariance = model.factors @ model.factors.T + model.noise * np.eye(len(model.mean))
    whole, spread = X.copy(), np.zeros((len(model.mean),) * 2)
    for row, weight in zip(whole, weights, strict=True):
        m, o = np.isnan(row), ~np.isnan(row)
        gain = covariance[np.ix_(m, o)] @ np.linalg.inv(covariance[np.ix_(o, o)]) if o.any() else np.zeros((m.sum(), 0))
        row[m] = model.mean[m] + gain @ (row[o] - model.mean[o])
        spread[np.ix_(m, m)] += weight * (covariance[np.ix_(m, m)] - gain @ covariance[np.ix_(o, m)])
    mean = weights @ whole
    return mean, (whole - mean).T @ ((whole - mean) * weights[:, None]) + spread, whole


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_a_step_takes_the_conditional_moments(rank):
    X = holed(rank)
    X[1] = np.nan
    rng = np.random.default_rng(9)
    weights = rng.random(12)
    weights /= weights.sum()
    model = Gaussian(rng.standard_normal(5), rng.standard_normal((5, rank)), 0.7)
    mean, S, whole = expected(model, X, weights)
    found_mean, found = model.moments(X, weights)
    np.testing.assert_allclose(found_mean, mean)
    np.testing.assert_allclose(found, S)
    np.testing.assert_allclose(model.completed(X), whole)


@pytest.mark.parametrize("missing", ["em", "pairwise"])
def test_complete_samples_have_their_own_moments(missing):
    X = np.random.default_rng(0).standard_normal((12, 5))
    fitted = MomentSPCA(TPower(2, 2), missing=missing).fit(X)
    np.testing.assert_allclose(fitted.covariance_, np.cov(X.T, bias=True))
    plain = TPower(2, 2).fit(X)
    np.testing.assert_allclose(fitted.components_, plain.components_)
    np.testing.assert_allclose(fitted.transform(X), plain.transform(X))
    np.testing.assert_allclose(em_moments(X, NONE, 2, 5, 0.0)[1], fitted.covariance_)


def test_a_pair_is_measured_where_both_are_there_and_no_eigenvalue_is_negative():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((400, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    mean, S = pairwise_moments(X, np.full(400, 1 / 400))
    both = ~np.isnan(X[:, 0]) & ~np.isnan(X[:, 1])
    np.testing.assert_allclose(mean, np.nanmean(X, axis=0))
    assert S[0, 1] == pytest.approx(np.mean((X[both, 0] - mean[0]) * (X[both, 1] - mean[1])))
    X = holed(1)
    mean, S = pairwise_moments(X, NONE)
    centred, seen = np.nan_to_num(X - mean), (~np.isnan(X)).astype(float)
    assert np.linalg.eigvalsh(centred.T @ centred / (seen.T @ seen))[0] < -1e-3
    assert np.linalg.eigvalsh(S)[0] > -1e-12


@pytest.mark.parametrize("missing", ["em", "pairwise"])
def test_weights_count_samples(missing):
    X, weights = holed(5), np.array([1, 0, 2, 3, 1, 1, 0, 1, 2, 1, 1, 4])
    weighted = MomentSPCA(TPower(1, 2), missing=missing, tol=1e-8).fit(X, sample_weight=weights)
    repeated = MomentSPCA(TPower(1, 2), missing=missing, tol=1e-8).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.mean_, repeated.mean_, atol=1e-6)
    np.testing.assert_allclose(weighted.covariance_, repeated.covariance_, atol=1e-5)


def test_a_planted_component_is_found_where_hardly_a_row_is_complete_and_its_variance_is_not_shrunk():
    ratios = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((200, 30))
        X[:, :5] += rng.standard_normal((200, 1))
        X[rng.random(X.shape) < 0.2] = np.nan
        assert np.isnan(X).any(axis=1).mean() > 0.95
        fitted = MomentSPCA(TPower(1, 5)).fit(X)
        assert np.flatnonzero(fitted.components_[0]).tolist() == [0, 1, 2, 3, 4]
        ratios.append(fitted.components_[0] @ fitted.covariance_ @ fitted.components_[0] / 6)
    assert 0.9 < np.mean(ratios) < 1.1  # means in place of what is missing leave less than 0.8


@pytest.mark.parametrize(
    ("estimator", "X", "says"),
    [
        (MomentSPCA(), np.array([[1.0, np.nan], [2.0, np.nan]]), "feature 1 has no value; drop it"),
        (
            MomentSPCA(TPower(1, 1), missing="pairwise"),
            np.array([[1.0, np.nan], [np.nan, 2.0], [0.0, np.nan]]),
            "no sample has both feature 0 and feature 1; missing='em' needs none",
        ),
        (MomentSPCA(object()), holed(0), "object"),
        (MomentSPCA(RSPCA()), holed(0), "estimator is RSPCA; valid is one with the parameter covariance"),
        (MomentSPCA(missing="mean"), holed(0), "missing"),
    ],
)
def test_what_cannot_be_fitted_is_said(estimator, X, says):
    with pytest.raises((ValueError, TypeError), match=says):
        estimator.fit(X)


def test_iterations_that_run_out_are_said():
    with pytest.warns(UserWarning, match="did not converge in 2 iterations"):
        MomentSPCA(TPower(1, 2), max_iter=2, tol=0.0).fit(holed(3))


def test_least_squares_scores_reconstruct_what_the_span_leaves():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((40, 6)) @ rng.standard_normal((6, 6))
    fitted = SimpleThresholding(n_components=3, n_nonzero=4).fit(X)
    best = fitted.inverse_transform(fitted.least_squares_scores(X))
    centred = X - X.mean(axis=0)
    left = np.linalg.norm(X - best) ** 2 / np.linalg.norm(centred) ** 2
    assert left == pytest.approx(1 - fitted.cpev_[-1])
    assert np.linalg.norm(X - fitted.inverse_transform(fitted.transform(X))) ** 2 > np.linalg.norm(X - best) ** 2
