"""TPower, GPower and RSVD against published numbers, slow references, identities and invariances."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power as reference
from numpy.testing import assert_allclose, assert_array_equal
from reference_rotation import nonorthogonality
from sklearn.base import clone
from spcabench_methods import PCA, RSVD, GPower, TPower
from spcabench_methods.core.moments import Data
from spcabench_methods.power import tpower

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 500}
TARGETED = [
    TPower(3, 4),
    TPower(3, 4, init="pca"),
    TPower(3, 4, init="top_variance"),
    GPower(3, 4, penalty="l0"),
    GPower(3, 4, penalty="l1"),
    RSVD(3, 4, penalty="l0"),
    RSVD(3, 4, penalty="l1"),
    RSVD(3, 4, penalty="scad"),
]
targeted = pytest.mark.parametrize("method", TARGETED, ids=repr)


def pitprops_gpower(pitprops, form):
    method = GPower(6, penalty="l0", rho=0.1, init="published", covariance="precomputed")
    if form == "gram":
        return method.fit(pitprops)
    X = np.linalg.cholesky(pitprops).T * np.sqrt(13)
    method._read = lambda S, mean: (np.zeros(13), Data(X), Data(X))
    return method.fit(pitprops)


@pytest.mark.parametrize("form", ["gram", "data"])
def test_pitprops_gpower_l0_published(pitprops, form):
    gpower = pitprops_gpower(pitprops, form)
    assert_array_equal(gpower.n_nonzero_, [7, 2, 6, 1, 1, 2])
    assert_allclose(nonorthogonality(gpower.components_), 0.0259, atol=5e-5)
    assert_allclose(gpower.cpev_[-1], 0.8111, atol=5e-5)
    assert_allclose(np.std(1 - gpower.n_nonzero_ / 13, ddof=1), 0.2030, atol=5e-5)


def test_pitprops_tpower_reaches_the_optimum(pitprops):
    optimum = [1.0, 1.9540, 2.4753, 2.9375, 3.4062, 3.7710, 3.9962, 4.0686, 4.1386, 4.1726, 4.2083, 4.2182, 4.2186]
    found = [TPower(1, k, covariance="precomputed").fit(pitprops).objective_[0] for k in range(1, 14)]
    assert_allclose(found, optimum, atol=1e-4)


@targeted
@pytest.mark.parametrize("k", [2, 5, 9])
def test_pitprops_optimum_is_an_upper_bound(pitprops, method, k):
    fitted = clone(method).set_params(n_components=1, n_nonzero=k, covariance="precomputed").fit(pitprops)
    w = fitted.components_[0]
    assert w @ pitprops @ w <= reference.best_variance(pitprops, np.count_nonzero(w)) + 1e-10


def test_tpower_reference(X):
    assert_allclose(TPower(3, 4, init="published", **EXACT).fit(X).components_, reference.tpower(X, 4, 3), atol=1e-9)


@pytest.mark.parametrize("penalty", ["l0", "l1"])
@pytest.mark.parametrize("refit", [False, True])
def test_gpower_reference(X, penalty, refit):
    gpower = GPower(3, penalty=penalty, rho=0.15, refit=refit, init="published", **EXACT).fit(X)
    assert_allclose(gpower.components_, reference.gpower(X, penalty, 0.15, 3, refit=refit), atol=1e-9)


@pytest.mark.parametrize("penalty", ["l0", "l1", "scad"])
def test_rsvd_reference(X, penalty):
    rule = {"l0": reference.hard, "l1": reference.soft, "scad": reference.scad}[penalty]
    expected = reference.rsvd(X, rule, 6, 3)
    assert_allclose(RSVD(3, 6, penalty=penalty, init="published", **EXACT).fit(X).components_, expected, atol=1e-9)


@pytest.mark.parametrize(
    "method",
    [
        TPower(2, 99, **EXACT),
        GPower(2, penalty="l0", rho=0.0, **EXACT),
        GPower(2, penalty="l1", rho=0.0, **EXACT),
        GPower(2, 99, penalty="l1", **EXACT),
        RSVD(2, lam=0.0, penalty="l0", **EXACT),
        RSVD(2, lam=0.0, penalty="l1", **EXACT),
        RSVD(2, lam=0.0, penalty="scad", **EXACT),
        RSVD(2, 99, **EXACT),
    ],
    ids=repr,
)
def test_dense_limit_is_pca(X, method):
    assert_allclose(method.fit(X).components_, PCA(2).fit(X).components_, atol=1e-10)


@pytest.mark.parametrize("init", ["pca", "max_variance", "top_variance"])
def test_rsvd_l0_is_tpower_from_the_same_start(X, init):
    rsvd = RSVD(3, 4, penalty="l0", init=init, **EXACT).fit(X)
    assert_allclose(rsvd.components_, TPower(3, 4, init=init, **EXACT).fit(X).components_, atol=1e-10)


def test_gpower_l1_is_a_fixed_point_of_rsvd_l1(X):
    rho = 0.2
    gpower = GPower(1, rho=rho, refit=False, **EXACT).fit(X)
    A = reference.centred(X)
    w = gpower.components_[0]
    u = A @ w / np.linalg.norm(A @ w)
    v = reference.soft(A.T @ u, rho * np.linalg.norm(A, axis=0).max())
    assert_allclose(v / np.linalg.norm(v), w, atol=1e-10)


@pytest.mark.parametrize("penalty", ["l0", "l1", "scad"])
def test_rsvd_lam_gives_the_fixed_point_of_its_rule(X, penalty):
    rule = {"l0": reference.hard, "l1": reference.soft, "scad": reference.scad}[penalty]
    A = reference.centred(X)
    lam = 0.3 * np.linalg.norm(A, axis=0).max()
    w = RSVD(1, penalty=penalty, lam=lam, **EXACT).fit(X).components_[0]
    v = rule(A.T @ (A @ w) / np.linalg.norm(A @ w), lam)
    assert 0 < np.count_nonzero(w) < len(w)
    assert_allclose(v / np.linalg.norm(v), w, atol=1e-10)


@pytest.mark.parametrize(
    ("method", "sense"),
    [
        (TPower(1, 4, init="published", tol=0.0), 1),
        (GPower(1, penalty="l0", rho=0.1, refit=False, init="published", tol=0.0), 1),
        (GPower(1, penalty="l1", rho=0.1, refit=False, init="published", tol=0.0), 1),
        (RSVD(1, lam=0.2, penalty="l0", tol=0.0), -1),
        (RSVD(1, lam=0.2, penalty="l1", tol=0.0), -1),
        (RSVD(1, lam=0.2, penalty="scad", tol=0.0), -1),
    ],
    ids=repr,
)
def test_objective_is_monotone(X, method, sense):
    path = [clone(method).set_params(max_iter=m).fit(X).objective_[0] for m in range(1, 25)]
    assert np.all(sense * np.diff(path) >= -1e-12)
    assert sense * (path[-1] - path[0]) > 1e-6


def test_objectives_are_what_the_docstrings_say(X):
    A = reference.centred(X)
    peak = np.linalg.norm(A, axis=0).max()
    tpower = TPower(1, 4, **EXACT).fit(X)
    assert_allclose(tpower.objective_[0], np.linalg.norm(A @ tpower.components_[0]) ** 2)
    l0 = GPower(1, penalty="l0", rho=0.1, **EXACT).fit(X)
    w = l0.components_[0]
    assert_allclose(l0.objective_[0], np.linalg.norm(A @ w) ** 2 - 0.1 * peak**2 * np.count_nonzero(w))
    l1 = GPower(1, penalty="l1", rho=0.1, refit=False, **EXACT).fit(X)
    w = l1.components_[0]
    assert_allclose(np.sqrt(l1.objective_[0]), np.linalg.norm(A @ w) - 0.1 * peak * np.abs(w).sum())
    lam = 0.3 * peak
    rsvd = RSVD(1, lam=lam, penalty="l1", **EXACT).fit(X)
    w = rsvd.components_[0]
    u = A @ w / np.linalg.norm(A @ w)
    v = reference.soft(A.T @ u, lam)
    expected = np.linalg.norm(A - np.outer(u, v)) ** 2 + 2 * lam * np.abs(v).sum()
    assert_allclose(rsvd.objective_[0], expected)


def test_absolute_threshold_scales_with_the_data(X):
    W = RSVD(2, lam=0.2).fit(X).components_
    assert_allclose(RSVD(2, lam=2.0).fit(10.0 * X).components_, W, atol=1e-9)


def test_a_missed_target_is_recorded():
    x = np.random.default_rng(0).standard_normal((50, 1))
    X = np.hstack([x, x, 0.1 * np.random.default_rng(1).standard_normal((50, 3))])
    gpower = GPower(1, 1, penalty="l0").fit(X)
    assert gpower.n_nonzero_[0] == 2
    assert not gpower.exact_cardinality_[0]


def test_screening_changes_nothing():
    X = np.random.default_rng(0).standard_normal((80, 30)) * np.geomspace(1, 0.01, 30)
    gpower = GPower(2, rho=0.3, refit=False, **EXACT).fit(X)
    assert_allclose(gpower.components_, reference.gpower(X, "l1", 0.3, 2), atol=1e-9)


@pytest.mark.parametrize("n", [150, 2500])
def test_one_component_from_its_published_start_takes_samples_and_is_that_of_the_matrix(n, monkeypatch):
    monkeypatch.setattr(tpower, "SLOW", 4)
    X = np.random.default_rng(0).standard_normal((n, 80))
    X -= X.mean(axis=0)
    method = TPower(1, 20, init="published", tol=1e-12)
    assert isinstance(method._read(X, X.mean(axis=0))[1], Data)
    expected = TPower(1, 20, init="published", tol=1e-12, covariance="precomputed").fit(X.T @ X / n)
    assert_allclose(method.fit(X).components_, expected.components_, atol=1e-6)
    assert_array_equal(method.components_ != 0.0, expected.components_ != 0.0)
    assert method.n_iter_ > tpower.SLOW
