"""R1-PCA and robust subspace learning: against plain loops, and what samples and entries far out do to them."""

import warnings

import numpy as np
import pytest
import reference_robust as reference
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import special_ortho_group
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import PCA, PCAL1, R1PCA, RobustSubspace

BOTH = pytest.mark.parametrize("kind", [R1PCA, RobustSubspace])
VARIANTS = pytest.mark.parametrize(
    "method", [R1PCA(n_components=2), R1PCA(n_components=2, weight="cauchy"), RobustSubspace(n_components=2)], ids=repr
)


def samples(seed, n=60, d=8, r=2):
    """Draw samples near a span, with long tails."""
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((n, r)) * np.linspace(3.0, 2.0, r)
    return factors @ rng.standard_normal((r, d)) + rng.standard_t(2, (n, d))


def projector(V):
    Q = np.linalg.qr(V)[0]
    return Q @ Q.T


def span(fitted):
    return projector(fitted.components_.T)


def cosine(fitted, w):
    return abs(fitted.components_[0] @ w) / np.linalg.norm(w)


# Against plain loops


@pytest.mark.parametrize(("n", "d"), [(60, 8), (12, 30)])
def test_r1_pca_agrees_with_the_plain_loop(n, d):
    X = samples(0, n, d)
    fitted = R1PCA(n_components=2, tol=1e-8).fit(X)
    U, C, n_iter = reference.r1_pca(X, 2)
    assert_allclose(span(fitted), U @ U.T, atol=1e-8)
    assert fitted.n_iter_ == n_iter > 5
    assert_allclose(fitted.objective_, np.linalg.eigvalsh(U.T @ C @ U)[::-1], rtol=1e-7)
    assert_allclose(fitted.components_ @ C @ fitted.components_.T, np.diag(fitted.objective_), atol=1e-6)


@pytest.mark.parametrize(("n", "d"), [(60, 8), (12, 30)])
def test_robust_subspace_agrees_with_the_plain_loop(n, d):
    X = samples(1, n, d)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = RobustSubspace(n_components=2, tol=0.0, max_iter=40).fit(X)
    B, m, scales, criterion = reference.robust_subspace(X, 2)
    assert_allclose(span(fitted), projector(B), atol=1e-6)
    assert_allclose(fitted.scales_, scales)
    assert fitted.criterion_ == pytest.approx(criterion)
    outside = np.eye(d) - span(fitted)
    assert_allclose(outside @ (fitted.mean_ - X.mean(axis=0)), outside @ m, atol=1e-6)


# What is minimised


@VARIANTS
def test_the_sum_never_grows(method):
    """The scales are not final in the first 13 iterations of robust subspace learning."""
    first = 14 if isinstance(method, RobustSubspace) else 1
    for seed in range(3):
        X = samples(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            sums = [method.set_params(max_iter=k).fit(X).criterion_ for k in range(first, first + 25)]
        assert sums[-1] < sums[0]
        assert (np.diff(sums) <= 1e-12 * sums[0]).all()


def test_the_criteria_are_those_of_distances_and_residuals():
    X = samples(2)
    for weight, cutoff in (("huber", 0.5), ("cauchy", 2.0)):
        fitted = R1PCA(n_components=2, weight=weight, cutoff=cutoff).fit(X)
        centred = X - fitted.mean_
        s = np.linalg.norm(centred - centred @ span(fitted), axis=1)
        assert_allclose(fitted.distances_, s)
        start = PCA(2).fit(X)
        c = cutoff * np.median(np.linalg.norm(centred - centred @ span(start), axis=1))
        each = {
            "huber": [x**2 / 2 if x <= c else c * x - c**2 / 2 for x in s],
            "cauchy": c**2 / 2 * np.log(1 + (s / c) ** 2),
        }
        assert fitted.criterion_ == pytest.approx(np.sum(each[weight]))
        assert_allclose(fitted.weights_, np.minimum(1, c / s) if weight == "huber" else 1 / (1 + (s / c) ** 2))
        C = centred.T @ (fitted.weights_[:, None] * centred)
        assert_allclose(projector(C @ fitted.components_.T), span(fitted), atol=1e-4)  # the span stays
    fitted = RobustSubspace(n_components=2).fit(X)
    assert fitted.weights_.shape == X.shape
    assert fitted.criterion_ == pytest.approx(np.sum(1 - np.sqrt(fitted.weights_)))


@pytest.mark.parametrize("weight", ["huber", "cauchy"])
def test_a_rotation_of_the_samples_rotates_r1_pca(weight):
    X, Q = samples(3), special_ortho_group.rvs(8, random_state=0)
    plain, rotated = (R1PCA(n_components=2, weight=weight).fit(Z) for Z in (X, X @ Q))
    assert_allclose(span(rotated), Q.T @ span(plain) @ Q, atol=1e-7)
    assert_allclose(rotated.weights_, plain.weights_, atol=1e-7)
    assert rotated.criterion_ == pytest.approx(plain.criterion_)


# PCA where nothing counts less


def test_r1_pca_is_pca_where_all_weights_are_one():
    X = samples(4)
    wide = R1PCA(n_components=2, cutoff=1e3).fit(X)
    assert_array_equal(wide.weights_, 1.0)
    assert_allclose(wide.components_, PCA(2).fit(X).components_, atol=1e-9)
    assert wide.n_iter_ == 1
    cross = np.vstack([np.diag([3.0, 1.0]), -np.diag([3.0, 1.0])])  # two are at the distance 1, and two at 0
    assert (R1PCA(n_components=1).fit(cross).weights_ < 1).any()
    square = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])  # all are at one distance
    even = R1PCA(n_components=1).fit(square)
    assert_array_equal(even.weights_, 1.0)
    assert_allclose(even.components_, [[1.0, 0.0]])


def test_robust_subspace_is_pca_over_the_scales_where_all_weights_are_one():
    X = samples(5)
    fitted = RobustSubspace(n_components=2, cutoff=1e5, tol=1e-10, max_iter=2000).fit(X)
    assert_allclose(fitted.weights_, 1.0, atol=1e-6)
    over = PCA(2).fit(X / fitted.scales_).components_
    assert_allclose(span(fitted), projector(fitted.scales_[:, None] * over.T), atol=1e-6)
    assert_allclose(fitted.mean_, X.mean(axis=0), atol=1e-6)


# Samples and entries far out


def test_a_sample_far_out_draws_pca_away_and_not_r1_pca():
    X = np.column_stack([np.linspace(-5.0, 5.0, 21), np.zeros(21)])
    X[20, 1] = 12.0
    line = np.array([1.0, 0.0])
    assert cosine(PCA(1).fit(X), line) < 0.85
    for weight in ("huber", "cauchy"):
        fitted = R1PCA(n_components=1, weight=weight).fit(X)
        assert cosine(fitted, line) > 0.995
        assert fitted.weights_.argmin() == 20


def test_a_sample_that_has_a_component_of_its_own_keeps_its_weight():
    X = samples(6)
    X[0] = 1e4 * np.eye(8)[3]
    fitted = R1PCA(n_components=1).fit(X)
    assert fitted.weights_[0] == 1.0
    assert cosine(fitted, np.eye(8)[3]) > 0.99


@pytest.mark.parametrize("seed", range(5))
def test_entries_far_out_draw_pca_away_and_not_robust_subspace(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((200, 3)) @ rng.standard_normal((3, 20)) + 0.3 * rng.standard_normal((200, 20))
    wrong = rng.random(X.shape) < 0.05
    spoilt = np.where(wrong, X + rng.choice([-10.0, 10.0], X.shape), X)
    truth = span(PCA(3).fit(X))
    off = {
        kind: np.linalg.norm(span(kind(n_components=3).fit(spoilt)) - truth) for kind in (PCA, PCAL1, RobustSubspace)
    }
    assert off[RobustSubspace] < 0.1
    assert min(off[PCA], off[PCAL1]) > 0.2
    weights = RobustSubspace(n_components=3).fit(spoilt).weights_
    assert weights[wrong].max() < 0.2
    assert np.median(weights[~wrong]) > 0.8


# At the edge


@BOTH
def test_samples_in_a_span_are_fitted_to_the_end(kind):
    rng = np.random.default_rng(7)
    X = rng.standard_normal((30, 2)) @ rng.standard_normal((2, 6)) + 1.0
    assert_allclose(span(kind(n_components=2).fit(X)), span(PCA(2).fit(X)), atol=1e-7)
    with pytest.warns(ConvergenceWarning, match="components 3 are zero"):
        fitted = kind(n_components=3).fit(X)
    assert_array_equal(fitted.n_iter_per_component_ > 0, [True, True, False])
    assert fitted.converged_.all()
    assert fitted.criterion_ == pytest.approx(0.0, abs=1e-12)


@BOTH
def test_more_than_half_of_the_samples_in_the_span(kind):
    X = np.zeros((20, 3))
    X[:, 0] = np.linspace(-10.0, 10.0, 20)
    X[[8, 11], 1] = [1.0, -1.0]
    fitted = kind(n_components=1).fit(X)
    assert cosine(fitted, np.eye(3)[0]) > 0.999
    assert not fitted.components_[:, 2].any()


@BOTH
@pytest.mark.parametrize("constant", [0, 1, 5])
def test_a_constant_feature_has_no_loading_and_keeps_its_centre(kind, constant):
    X = samples(8)
    X[:, constant] = 7.3
    fitted = kind(n_components=2).fit(X)
    assert not fitted.components_[:, constant].any()
    assert fitted.mean_[constant] == 7.3


@BOTH
def test_as_many_components_as_features(kind):
    X = samples(9, 30, 4)
    assert_allclose(span(kind(n_components=4).fit(X)), np.eye(4), atol=1e-9)


def test_two_samples():
    X = np.array([[1.0, 2.0, 0.0], [3.0, 2.0, 1.0]])
    for kind in (R1PCA, RobustSubspace):
        assert_allclose(kind(n_components=1).fit(X).components_, PCA(1).fit(X).components_, atol=1e-9)
