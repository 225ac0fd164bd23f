"""SCoTLASS and PMD, whose loadings have a bounded l1 norm, against references, and their bounds."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
import reference_power
from numpy.testing import assert_allclose, assert_array_equal
from spcabench_methods import DCPCA, EMPCA, PMD, SPCA, SCoTLASS

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 200}
GIVEN = {"covariance": "precomputed"}


def test_scotlass_reference(X):
    fitted = SCoTLASS(3, bound=1.8, **EXACT).fit(X)
    assert_allclose(fitted.components_, reference.scotlass(X, 1.8, 3), atol=1e-7)


@pytest.mark.parametrize("orth", [False, True])
def test_pmd_reference(X, orth):
    fitted = PMD(3, bound=1.8, deflation="schur" if orth else "projection", init="published", **EXACT).fit(X)
    assert_allclose(fitted.components_, reference.pmd(X, 1.8, 3, orth), atol=1e-7)


def test_pmd_scores_are_orthogonal(X):
    fitted = PMD(3, 5, deflation="schur").fit(X)
    A = reference_power.centred(X)
    U = []
    for w in fitted.components_:
        u = A @ w
        for before in U:
            u = u - before * (before @ u)
        U.append(u / np.linalg.norm(u))
    assert_allclose(fitted.objective_, [u @ A @ w for u, w in zip(U, fitted.components_, strict=True)], atol=1e-9)


def test_scotlass_exact_is_orthogonal(tall):
    fitted = SCoTLASS(3, bound=1.7, orth="exact").fit(tall)
    W = fitted.components_
    assert np.abs(W @ W.T - np.eye(3)).max() <= 1e-8
    assert fitted.bound_met_.all()
    assert fitted.converged_.all()


def test_scotlass_multi_is_no_worse(X):
    one, many = SCoTLASS(1, bound=1.6).fit(X), SCoTLASS(1, bound=1.6, init="multi").fit(X)
    assert many.objective_[0] >= one.objective_[0] - 1e-10  # the ends differ by their tolerance


def test_bound_of_one_leaves_one_feature(X):
    for method in (SCoTLASS(1, bound=1.0), PMD(1, 1), DCPCA(1, 1), SPCA(1, 1), EMPCA(1, 1)):
        assert_array_equal(method.fit(X).n_nonzero_, [1])


def test_a_bound_that_ties_cannot_meet_is_said():
    fitted = SCoTLASS(1, bound=1.5, **GIVEN).fit(0.5 * np.ones((4, 4)) + 0.5 * np.eye(4))
    assert_array_equal(fitted.bound_met_, [False])
    assert_allclose(fitted.components_, [[0.5, 0.5, 0.5, 0.5]])


@pytest.mark.parametrize("kind", [PMD, SCoTLASS])
def test_the_bound_is_the_loosest_that_leaves_the_cardinality(kind):
    X = np.random.default_rng(0).standard_normal((60, 30))
    searched = kind(1, 8).fit(X)
    (bound,) = searched.calibrated_params_["bound"]
    assert searched.n_nonzero_[0] == 8
    assert kind(1, bound=1.002 * bound).fit(X).n_nonzero_[0] > 8


@pytest.mark.parametrize("kind", [PMD, SCoTLASS])
def test_several_starts_explain_more_under_a_bound(kind):
    X = np.random.default_rng(2).standard_normal((50, 200))
    one, three = (kind(1, bound=3.0, init=init).fit(X).objective_[0] for init in ("published", "several"))
    assert three > 1.05 * one
