"""OrthogonalSPCA and JointSPCA: orthogonality, disjointness, bounds, definitions and numbers on pitprops."""

import numpy as np
import pytest
from drawn import decaying
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import ndtri
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import JointSPCA, OrthogonalSPCA, Splicing
from spcabench_methods.core.moments import Gram
from spcabench_methods.joint import orthogonal
from spcabench_methods.joint.ascent import Ascent, Rows
from spcabench_methods.joint.quotients import CRITERIA, quotient, value_of

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")


def overlap(W):
    return np.abs(W @ W.T - np.eye(len(W))).sum()


@pytest.mark.parametrize("disjoint", [False, True])
def test_constraints_and_bound(X, disjoint):
    fitted = OrthogonalSPCA(3, [4, 2, 3], disjoint=disjoint, n_init=2, max_iter=40, random_state=0).fit(X)
    assert fitted.feasible_
    assert overlap(fitted.components_) <= 1e-4
    assert fitted.violation_ == pytest.approx(overlap(fitted.components_), abs=1e-12)
    assert np.all(fitted.n_nonzero_ <= [4, 2, 3])
    A = X - X.mean(axis=0)
    variances = np.einsum("ij,ij->i", fitted.components_ @ (A.T @ A / len(A)), fitted.components_)
    assert_allclose(fitted.objective_, variances)
    assert variances.sum() <= np.linalg.svd(A)[1][:3] @ np.linalg.svd(A)[1][:3] / len(A) + 1e-10
    if disjoint:
        assert np.count_nonzero(fitted.components_, axis=0).max() == 1


def test_disjoint_rounds_never_lose(X):
    method = OrthogonalSPCA(3, 4, disjoint=True, random_state=0, tol=0.0)
    reached = [clone(method).set_params(max_iter=m).fit(X).objective_.sum() for m in range(1, 6)]
    assert np.all(np.diff(reached) >= -1e-12)


def test_features_run_out():
    X = np.random.default_rng(0).standard_normal((30, 5))
    with pytest.warns(ConvergenceWarning, match="components 3 are zero"):
        fitted = OrthogonalSPCA(3, [3, 2, 2], disjoint=True, random_state=0).fit(X)
    assert_array_equal(fitted.n_nonzero_, [3, 2, 0])
    assert fitted.feasible_


def test_iterative_eigenvalues_change_nothing(monkeypatch):
    X = decaying(0, 60, 30)
    found = OrthogonalSPCA(2, 4, max_iter=20, random_state=0).fit(X).components_
    monkeypatch.setattr(orthogonal, "ITERATIVE", 10)
    assert_allclose(OrthogonalSPCA(2, 4, max_iter=20, random_state=0).fit(X).components_, found, atol=1e-4)


def predicted(A, W):
    """Return how much of A a regression on its scores predicts."""
    T = A @ W
    return np.sum(A**2) - np.sum((A - T @ np.linalg.lstsq(T, A, rcond=None)[0]) ** 2)


DEFINITIONS = {
    "span": lambda A, W: np.sum((A @ np.linalg.qr(W)[0]) ** 2),
    "regression": predicted,
    "adjusted": lambda A, W: np.sum(np.diag(np.linalg.qr(A @ W)[1]) ** 2),
    "orthogonal": lambda A, W: np.sum((A @ W) ** 2),
}
"""Of samples A, A'A = S, and loadings in columns: the projector on their span, least squares, QR of the scores."""


@pytest.mark.parametrize("limit", [0.1, 1.0])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_criterion_never_falls_and_is_what_it_is_defined_as(pitprops, criterion, limit):
    A = np.linalg.cholesky(pitprops).T
    W = np.linalg.qr(np.random.default_rng(0).standard_normal((13, 3)))[0]
    rows = Rows(Gram(pitprops), criterion == "regression")
    ascent = Ascent(rows, W * (np.abs(W) >= np.sort(np.abs(W), axis=0)[-4]), [4] * 3, criterion, limit)
    for _ in range(5):
        before = ascent.value
        assert ascent.value == pytest.approx(DEFINITIONS[criterion](A, ascent.W), rel=1e-9)
        assert ascent.sweep() >= 0.0
        assert ascent.value >= before
    joint = JointSPCA(3, 4, criterion=criterion, limit=limit, covariance="precomputed").fit(pitprops)
    W = joint.components_.T
    assert_allclose(joint.criterion_, DEFINITIONS[criterion](A, W) / 13, rtol=1e-9)
    assert_allclose(joint.largest_cosine_, np.abs(W.T @ W - np.eye(3)).max(), atol=1e-12)
    assert joint.largest_cosine_ <= (1e-8 if criterion == "orthogonal" else limit + 1e-8)
    assert_allclose(joint.cpev_[-1], DEFINITIONS["span"](A, W) / 13)
    assert_allclose(joint.explained_variance_ratio_.sum(), DEFINITIONS["adjusted"](A, W) / 13)
    assert_array_equal(joint.n_nonzero_, [4, 4, 4])


def test_together_they_span_more_than_one_after_the_other(pitprops):
    for S, r, reached in ((pitprops, 3, 0.6008), (np.corrcoef(load_wine().data.T), 5, 0.7902)):
        joint = JointSPCA(r, 5, covariance="precomputed").fit(S)
        assert joint.cpev_[-1] >= reached - 1e-4
        assert joint.cpev_[-1] > Splicing(r, 5, covariance="precomputed").fit(S).cpev_[-1]


def test_orthogonal_loadings_that_are_known_are_kept(pitprops):
    W = OrthogonalSPCA(2, 5, covariance="precomputed", random_state=0).fit(pitprops).components_.T
    assert Ascent(Rows(Gram(pitprops), False), W, [5, 5], "orthogonal", 0.0).value == pytest.approx(
        np.vdot(W, pitprops @ W)
    )
    for criterion in ("orthogonal", "span"):
        joint = JointSPCA(2, 5, criterion=criterion, covariance="precomputed").fit(pitprops)
        assert 13 * joint.cpev_[-1] >= 5.710358 - 1e-6  # proved by branch and bound for orthogonal ones


def test_the_last_bits_do_not_choose_among_ends_that_are_as_good():
    """The features have one variance, and what spans the most hardly needs its zero."""
    scores = ndtri((rankdata(load_diabetes().data, axis=0) - 0.5) / 442)
    X = scores / scores.std(axis=0)
    few = JointSPCA(n_components=3, n_nonzero=[10, 9, 10], n_init=2)
    found = [clone(few).fit(scale * X).components_ for scale in (0.047, 1.0, 20.0, 1.0 + 1e-12)]
    for other in found[1:]:
        assert_allclose(other, found[0], atol=1e-10)


@pytest.mark.parametrize("criterion", ["span", "regression", "adjusted"])
@pytest.mark.parametrize("j", [0, 2])
def test_the_quotient_has_the_gradient_of_the_criterion(criterion, j):
    rng = np.random.default_rng(0)
    S = np.cov(rng.standard_normal((30, 6)) @ rng.standard_normal((6, 6)), rowvar=False)
    W = np.linalg.qr(rng.standard_normal((6, 4)))[0].T + 0.1
    W /= np.linalg.norm(W, axis=1, keepdims=True)

    def value(w):
        V = W.copy()
        V[j] = w / np.linalg.norm(w)
        return value_of(criterion, V, V @ S)

    L, K, P, scale = quotient(criterion, W, W @ S, W @ S @ S, j)
    A, M = (S @ S, S) if criterion == "regression" else (scale * S, np.eye(6))
    A, M, w = A - L.T @ K - K.T @ L, M - P.T @ P, W[j]
    slope = [(value(w + step) - value(w - step)) / 2e-5 for step in 1e-5 * np.eye(6)]
    assert_allclose(slope, 2.0 * (A @ w - (w @ A @ w) / (w @ M @ w) * (M @ w)) / (w @ M @ w), atol=1e-6)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_more_components_than_the_samples_have(criterion):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((4, 7))
        assert JointSPCA(5, 4, criterion=criterion, n_init=4).fit(X).criterion_ <= 1.0 + 1e-9
        S = np.cov(X, rowvar=False)
        W = np.linalg.qr(rng.standard_normal((7, 3)))[0].T
        W = np.vstack([W, (W[1] + W[2]) / np.sqrt(2.0), (W[1] - W[2]) / np.sqrt(2.0)])
        assert all(np.isfinite(part).all() for part in quotient(criterion, W, W @ S, W @ S @ S, 0))


def test_loadings_that_become_nearly_dependent_do_not_lower_the_criterion(monkeypatch):
    gains, sweep = [], Ascent.sweep
    monkeypatch.setattr(Ascent, "sweep", lambda self: gains.append(sweep(self)) or gains[-1])
    for seed in range(1, 4):
        X = np.random.default_rng(seed).standard_normal((18, 5))
        X[:, 0] = X[:, 1]
        joint = JointSPCA(4, 2, limit=1.0, n_init=6).fit(X)
        assert joint.criterion_ == pytest.approx(joint.cpev_[-1])
    assert min(gains) >= 0.0
