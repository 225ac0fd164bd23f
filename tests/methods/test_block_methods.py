"""RSVDGP, GPowerBlock and ITSPCA against slow references, and RSVDGPB too against its own formulas."""

import itertools

import numpy as np
import pytest
import reference_block as reference
import reference_power
from numpy.testing import assert_allclose, assert_array_equal
from reference_power import signed
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import ITSPCA, RSVDGP, RSVDGPB, GPowerBlock
from truncated import levels

pytestmark = pytest.mark.filterwarnings("ignore:components")

EXACT = {"tol": 0.0, "max_iter": 500}


def spiked(n=200, d=500):
    """Draw samples with two sparse spikes of 15 and 20 features and variances 20 and 10."""
    rng = np.random.default_rng(3)
    V = np.zeros((d, 2))
    V[:15, 0], V[15:35, 1] = 15**-0.5, 20**-0.5
    return rng.standard_normal((n, d)) + rng.standard_normal((n, 2)) * np.sqrt([20.0, 10.0]) @ V.T, V


def test_itspca_stops_when_the_span_turns_by_less_than_one_over_n():
    X = spiked()[0]
    fitted = ITSPCA(2).fit(X)
    bases = [ITSPCA(2, max_iter=fitted.n_iter_ - back, tol=0.0).fit(X).components_ for back in (0, 1, 2)]
    turns = [np.linalg.norm(a.T @ a - b.T @ b, ord=2) for a, b in itertools.pairwise(bases)]
    assert turns[0] <= 1 / 200 < turns[1]


@levels
def test_references_of_relative_truncations(X, truncation, level):
    fitted = RSVDGP(3, truncation=truncation, **level, **EXACT).fit(X)
    assert_allclose(fitted.components_, reference.rsvd_gp(X, truncation, *level.values(), 3), atol=1e-9)


@pytest.mark.parametrize("mu", [[1.0, 1.0, 1.0], [1.0, 0.7, 0.5]])
@pytest.mark.parametrize("penalty", ["l1", "l0"])
def test_gpower_block_reference(X, penalty, mu):
    fitted = GPowerBlock(3, penalty=penalty, rho=0.15, mu=mu, refit=False, tol=0.0, max_iter=50).fit(X)
    expected, path = reference.gpower_block(X, penalty, 0.15, mu, n_iter=51)
    assert_allclose(fitted.components_, signed(expected.T), atol=1e-9)
    assert_allclose(fitted.objective_.sum(), path[49], rtol=1e-10)


def test_gpower_block_refit_reference(tall):
    mu = [1.0, 0.7, 0.5]
    plain = GPowerBlock(3, rho=0.15, mu=mu, refit=False, tol=1e-13).fit(tall)
    refit = GPowerBlock(3, rho=0.15, mu=mu, tol=1e-13).fit(tall)
    assert_array_equal(plain.components_ != 0, refit.components_ != 0)
    assert_allclose(refit.components_, signed(reference.filled(tall, plain.components_.T, mu).T), atol=1e-4)
    assert np.abs(refit.components_ - plain.components_).max() > 1e-3


@pytest.mark.parametrize("rule", ["hard", "soft", "scad"])
def test_itspca_reference(X, rule):
    fitted = ITSPCA(3, gamma=0.3, alpha=0.5, truncation=rule, tol=0.0, max_iter=60).fit(X)
    expected = reference.itspca(X, 3, 0.3, 0.5, getattr(reference_power, rule), n_iter=60)
    assert_allclose(fitted.components_, signed(expected.T), atol=1e-7)


def test_objectives_are_what_the_docstrings_say(X):
    A = reference_power.centred(X)
    peak = np.linalg.norm(A, axis=0).max()
    for method in (RSVDGPB(3), ITSPCA(3, gamma=0.3)):
        fitted = method.fit(X)
        assert_allclose(fitted.objective_, np.linalg.norm(A @ fitted.components_.T, axis=0) ** 2)
    l0 = GPowerBlock(1, penalty="l0", rho=0.2, refit=False, **EXACT).fit(X)
    w = l0.components_[0]
    assert_allclose(l0.objective_[0], np.linalg.norm(A @ w) ** 2 - 0.2 * peak**2 * np.count_nonzero(w))


def test_features_that_cannot_enter_are_left_out():
    X = np.random.default_rng(0).standard_normal((80, 30)) * np.geomspace(1, 0.01, 30)
    fitted = GPowerBlock(3, rho=0.3, refit=False, tol=0.0, max_iter=50).fit(X)
    assert_allclose(fitted.components_, signed(reference.gpower_block(X, "l1", 0.3, [1, 1, 1], 51)[0].T), atol=1e-9)


def test_iterations_that_cycle_end():
    S = np.array([[3.31, 1.92, 1.1], [1.92, 1.26, 0.04], [1.1, 0.04, 3.27]])
    method = RSVDGP(1, truncation="en", energy=0.3037308, covariance="precomputed")
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        fitted = method.fit(S)
    assert fitted.n_iter_ < 100
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        later = clone(method).set_params(max_iter=fitted.n_iter_ - 1).fit(S)
    assert np.abs(later.components_ - fitted.components_).max() > 1e-3


def test_a_column_without_large_entries_is_lost():
    X = spiked()[0]
    with pytest.warns(ConvergenceWarning, match="are zero"):
        fitted = ITSPCA(3, gamma=4.0).fit(X)
    assert 0 in fitted.n_nonzero_
    assert np.isfinite(fitted.components_).all()
