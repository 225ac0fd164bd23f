"""TPower, GPower and RSVD against slow references, and their own formulas; `tools/published_checks` has the numbers."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power as reference
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import RSVD, GPower, TPower
from spcabench_methods.core.moments import Data
from spcabench_methods.power import tpower

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 500}


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


@pytest.mark.parametrize("penalty", ["l0", "l1", "scad"])
def test_rsvd_lam_gives_the_fixed_point_of_its_rule(X, penalty):
    rule = {"l0": reference.hard, "l1": reference.soft, "scad": reference.scad}[penalty]
    A = reference.centred(X)
    lam = 0.3 * np.linalg.norm(A, axis=0).max()
    w = RSVD(1, penalty=penalty, lam=lam, **EXACT).fit(X).components_[0]
    v = rule(A.T @ (A @ w) / np.linalg.norm(A @ w), lam)
    assert 0 < np.count_nonzero(w) < len(w)
    assert_allclose(v / np.linalg.norm(v), w, atol=1e-10)


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
