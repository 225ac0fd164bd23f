"""TPower, GPower, RSVD and the inverse power method against slow references, their starts and their own formulas."""

import numpy as np
import pytest
import reference_power as reference
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from spcabench_methods import RSVD, RTPM, GPower, InversePower, TPower
from spcabench_methods.core.moments import Data
from spcabench_methods.power import rtpm, tpower

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 500}


def test_coordinates_are_not_led_astray_by_decoys(monkeypatch):
    """On a covariance of the kind that the paper of RTPM begins with, whose decoys have the largest variances."""
    monkeypatch.setattr(rtpm, "AT_ONCE", 10)
    S = np.diag(np.where(np.arange(200) // 10 == 0, 0.9, 0.0))
    S[10:20, 10:20] = 0.1
    found = RTPM(1, 10, covariance="precomputed").fit(S)
    assert found.objective_[0] == pytest.approx(1.0)
    assert_array_equal(np.flatnonzero(found.components_[0]), np.arange(10, 20))


RULES = {"l0": reference.hard, "l1": reference.soft, "scad": reference.scad}

LOOPS = [
    *(
        (
            GPower(3, penalty=penalty, rho=0.15, refit=refit, init="published", **EXACT),
            lambda X, p=penalty, refit=refit: reference.gpower(X, p, 0.15, 3, refit=refit),
        )
        for penalty in ("l0", "l1")
        for refit in (False, True)
    ),
    *(
        (RSVD(3, 6, penalty=name, init="published", **EXACT), lambda X, rule=rule: reference.rsvd(X, rule, 6, 3))
        for name, rule in RULES.items()
    ),
    *((InversePower(3, gamma=g, **EXACT), lambda X, g=g: reference.inverse_power(X, g, 3)) for g in (0.05, 0.3)),
]


@pytest.mark.parametrize(("method", "loop"), LOOPS, ids=lambda value: repr(value) if hasattr(value, "fit") else "")
def test_references(X, method, loop):
    assert_allclose(clone(method).fit(X).components_, loop(X), atol=1e-9)


def test_every_coordinate_is_started_from(X, monkeypatch):
    monkeypatch.setattr(rtpm, "AT_ONCE", 5)
    A = reference.centred(X)
    S = A.T @ A / len(A)
    ends = [TPower(1, 4, init=e, polish=False, **EXACT).fit(X).objective_[0] for e in np.eye(S.shape[0])]
    assert RTPM(1, 4, **EXACT).fit(X).objective_[0] == pytest.approx(max(ends), rel=1e-12)


@pytest.mark.parametrize("penalty", RULES)
def test_rsvd_lam_gives_the_fixed_point_of_its_rule(X, penalty):
    A = reference.centred(X)
    lam = 0.3 * np.linalg.norm(A, axis=0).max()
    w = RSVD(1, penalty=penalty, lam=lam, **EXACT).fit(X).components_[0]
    v = RULES[penalty](A.T @ (A @ w) / np.linalg.norm(A @ w), lam)
    assert 0 < np.count_nonzero(w) < len(w)
    assert_allclose(v / np.linalg.norm(v), w, atol=1e-10)


def test_objectives_are_what_the_docstrings_say(X):
    A = reference.centred(X)
    peak = np.linalg.norm(A, axis=0).max()
    lam = 0.3 * peak

    def of_rsvd(w):
        u = reference.unit(A @ w)
        v = reference.soft(A.T @ u, lam)
        return np.linalg.norm(A - np.outer(u, v)) ** 2 + 2 * lam * np.abs(v).sum()

    for method, objective in (
        (TPower(1, 4), lambda w: np.linalg.norm(A @ w) ** 2),
        (GPower(1, penalty="l0", rho=0.1), lambda w: np.linalg.norm(A @ w) ** 2 - 0.1 * peak**2 * np.count_nonzero(w)),
        (GPower(1, rho=0.1, refit=False), lambda w: (np.linalg.norm(A @ w) - 0.1 * peak * np.abs(w).sum()) ** 2),
        (RSVD(1, lam=lam, penalty="l1"), of_rsvd),
        (InversePower(1, gamma=0.2, refit=False), lambda w: 1.0 / reference.ratio(A, w, 0.2)),
    ):
        fitted = method.set_params(**EXACT).fit(X)
        assert_allclose(fitted.objective_[0], objective(fitted.components_[0]), err_msg=repr(method))


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


def power(C, w, k, n_iter=2000):
    for _ in range(n_iter):
        w = reference.unit(reference.largest(C @ w, k))
    return w


def decreasing(C, k):
    w = np.eye(len(C))[np.argmax(np.diag(C))]
    for wider in (8 * k, 4 * k, 2 * k):
        w = power(C, w, wider)
    return w


STARTS = {
    "top_variance": lambda C, k: (reference.largest(np.diag(C), k) != 0.0) / np.sqrt(k),
    "decreasing": decreasing,
}
"""Those that are TPower's own: the others are held of all methods."""


@pytest.mark.parametrize("init", STARTS)
@pytest.mark.parametrize("k", [1, 3, 6])
def test_each_start_leads_where_the_slow_loop_does(X, init, k):
    C = reference.centred(X).T @ reference.centred(X)
    expected = reference.with_sign(power(C, STARTS[init](C, k), k))
    assert_allclose(TPower(1, k, init=init, tol=0.0, max_iter=2000).fit(X).components_[0], expected, atol=1e-8)


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-5])
def test_it_stops_at_the_first_step_that_gains_less_than_its_share(X, tol):
    """The variance of each step is that of as many steps without a stop; the loading itself moves by far more."""
    C = reference.centred(X).T @ reference.centred(X)
    w, variances = np.eye(len(C))[np.argmax(np.diag(C))], [-np.inf]
    while len(variances) < 2 or variances[-1] - variances[-2] >= tol * variances[-1]:
        w = power(C, w, 5, n_iter=1)
        variances.append(w @ C @ w)
    fitted = TPower(1, 5, init="published", tol=tol).fit(X)
    assert fitted.n_iter_per_component_[0] == len(variances) - 1
    assert_allclose(fitted.objective_[0], variances[-1], rtol=1e-12)
