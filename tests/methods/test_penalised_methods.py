"""The penalised methods against slow references, their bounds and their own formulas."""

import numpy as np
import pytest
import reference_penalised as reference
import reference_power
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from spcabench_methods import ALSPCA, DCPCA, EMPCA, PMD, SPCA, SCoTLASS

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}


@pytest.mark.parametrize(
    ("method", "loop"),
    [
        (SCoTLASS(3, bound=1.8), lambda X: reference.scotlass(X, 1.8, 3)),
        (PMD(3, bound=1.8, init="published"), lambda X: reference.pmd(X, 1.8, 3, orth=False)),
        (PMD(3, bound=1.8, init="published", deflation="schur"), lambda X: reference.pmd(X, 1.8, 3, orth=True)),
        (EMPCA(3, 4, n_init=0), lambda X: reference.empca(X, 4, 3)),
        (EMPCA(3, 4, n_init=0, nonnegative=True), lambda X: reference.empca(X, 4, 3, nonnegative=True)),
    ],
    ids=lambda value: repr(value) if hasattr(value, "fit") else "",
)
def test_references(X, method, loop):
    fitted = clone(method).set_params(tol=0.0, max_iter=1000).fit(X)
    assert_allclose(fitted.components_, loop(X), atol=1e-7)


def test_pmd_scores_are_orthogonal(X):
    fitted = PMD(3, 5, deflation="schur").fit(X)
    variances = reference_power.adjusted_variances(X, fitted.components_)
    assert_allclose(fitted.objective_, np.sqrt(variances), atol=1e-9)


def test_scotlass_exact_is_orthogonal(tall):
    fitted = SCoTLASS(3, bound=1.7, orth="exact").fit(tall)
    W = fitted.components_
    assert np.abs(W @ W.T - np.eye(3)).max() <= 1e-8
    assert fitted.bound_met_.all()
    assert fitted.converged_.all()


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


def test_dcpca_reference(X):
    rho = 0.1 * X.var(axis=0).max()
    fitted = DCPCA(3, rho=rho, refit=False, tol=0.0, max_iter=1000).fit(X)
    assert 3 < fitted.n_nonzero_.sum() < 3 * X.shape[1]
    assert_allclose(fitted.components_, reference.dcpca(X, rho, 3), atol=1e-9)
    w, eps = fitted.components_[0], 1e-3
    price = rho / np.log(1 + 1 / eps) * np.log(1 + np.abs(w) / eps).sum()
    assert_allclose(fitted.objective_[0], w @ np.cov(X.T, bias=True) @ w - price)


@pytest.mark.parametrize("n_iter", [1, 4])
def test_spca_reference(X, n_iter):
    scale = X.var(axis=0).max()
    options = {"tol": 0.0, "max_iter": n_iter}
    fitted = SPCA(3, l1=0.3 * scale, ridge=0.05 * scale, **options).fit(X)
    expected = reference.spca(X, lambda C, g: reference.elastic_net(C, g, 0.05 * scale, 0.3 * scale), 3, n_iter)
    assert_allclose(fitted.components_, expected, atol=1e-9)
    fitted = SPCA(3, 4, ridge="inf", **options).fit(X)
    assert_allclose(
        fitted.components_, reference.spca(X, lambda C, g: reference.soft_of_cardinality(g, 4), 3, n_iter), atol=1e-9
    )


def test_spca_objective_is_what_the_docstring_says(X):
    ridge, l1, n = 0.1, 0.2, len(X)
    spca = SPCA(2, l1=l1, ridge=ridge, tol=1e-13, max_iter=5000).fit(X)
    A = reference_power.centred(X) * np.sqrt(n)
    S = A.T @ A / n
    B = spca.components_.T
    for _ in range(30):
        W = reference_power.polar(S @ B)
        B = np.array([reference.elastic_net(S, S @ a, ridge, l1) for a in W.T]).T
    W = reference_power.polar(S @ B)
    whole = np.linalg.norm(A - A @ B @ W.T) ** 2 / n + ridge * (B**2).sum() + l1 * np.abs(B).sum()
    assert_allclose(spca.objective_.sum() + np.trace(S), whole, atol=1e-6)


def test_the_default_ridge_goes_with_the_units_of_the_data():
    X = np.random.default_rng(0).standard_normal((60, 30))
    fitted, scaled = (SPCA(2, 4).fit(scale * X).components_ for scale in (1.0, 1e-3))
    assert_allclose(scaled, fitted, atol=1e-9)
    fitted, scaled = (SPCA(2, 4, ridge=1e-6).fit(scale * X).components_ for scale in (1.0, 1e-3))
    assert np.abs(scaled - fitted).max() > 0.05


@pytest.mark.parametrize("max_correlation", [None, 0.0, 0.05])
def test_alspca_meets_its_constraints(X, max_correlation):
    fitted = ALSPCA(3, rho=0.1, max_correlation=max_correlation).fit(X)
    assert fitted.converged_.all()
    W = fitted.components_
    assert_allclose(W @ W.T, np.eye(3), atol=2e-3)
    S = np.cov(X.T, bias=True)
    C = W @ S @ W.T / np.linalg.eigvalsh(S)[-1]
    limit = np.inf if max_correlation is None else max_correlation
    assert np.all(np.abs(C - np.diag(np.diag(C))) <= limit + 2e-3)


def test_alspca_is_a_local_maximum(X):
    S = np.cov(X.T, bias=True)
    top = np.linalg.eigvalsh(S)[-1]
    W = ALSPCA(2, rho=0.1, tol=1e-5).fit(X).components_.T

    def objective(M):
        Q = reference_power.polar(M)
        return np.trace(Q.T @ S @ Q) - 0.1 * top * np.abs(Q).sum()

    best, rng = objective(W), np.random.default_rng(0)
    for size in np.repeat([0.3, 0.1, 0.03], 30):
        step = size * rng.standard_normal(W.shape) * (rng.random(W.shape) < 0.5) * (W != 0)
        assert objective(W + step) <= best + 1e-4 * top


def test_alspca_one_penalty_per_component(X):
    fitted = ALSPCA(2, rho=[0.0, 0.3]).fit(X)
    assert fitted.n_nonzero_[0] > fitted.n_nonzero_[1]
