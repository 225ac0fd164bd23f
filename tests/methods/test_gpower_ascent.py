"""GPower's ascent against plain steps without end: the same loadings, in fewer steps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine
from spcabench_methods.core.compact import compact
from spcabench_methods.core.moments import Data, Gram
from spcabench_methods.core.starts import first_variance
from spcabench_methods.power.ascent import penalised_ascent
from spcabench_methods.power.rho_search import threshold_for
from spcabench_methods.power.span import maximum
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.soft import soft

TOL = 1e-11


def slow_problem(seed):
    """Draw second moments whose leading eigenvalues are near each other."""
    basis = np.linalg.qr(np.random.default_rng(seed).standard_normal((60, 60)))[0]
    return Gram((basis * 0.98 ** np.arange(60)) @ basis.T)


def plain_steps(moments, penalty, rho, tol):
    """Repeat steps until the objective settles; return the objective, the loading and how many steps there were."""
    deviations = np.sqrt(moments.diagonal)
    level = penalty.of_penalty(rho) * deviations.max()
    w = first_variance(moments, 1)
    c, objective = moments.S @ w / np.sqrt(w @ moments.S @ w), 0.0
    for n_iter in range(1, 100_000):
        t, old = penalty(c, level), objective
        objective = penalty.gain(c, t, level)
        if abs(objective - old) < tol * old:
            return objective, t / np.linalg.norm(t), n_iter
        c = moments.S @ t / np.sqrt(t @ moments.S @ t)
    raise AssertionError("the steps do not settle")


@pytest.mark.parametrize(("penalty", "rho", "faster"), [(soft, 0.01, 4.0), (soft, 0.02, 3.0), (hard, 0.005, 1.5)])
@pytest.mark.parametrize("seed", range(4))
def test_it_comes_to_the_end_of_plain_steps_in_fewer(seed, penalty, rho, faster):
    moments = slow_problem(seed)
    objective, loading, _ = plain_steps(moments, penalty, rho, 1e-15)
    found = penalised_ascent(moments, penalty, rho, first_variance(moments, 1), TOL, 1000)
    assert_array_equal(found.loading != 0.0, loading != 0.0)
    assert_allclose(found.objective, objective, rtol=1e-8)
    assert_allclose(found.loading, loading, atol=1e-4)
    assert faster * found.n_iter < plain_steps(moments, penalty, rho, TOL)[2]


@pytest.mark.parametrize("seed", range(20))
def test_the_maximum_of_three_variables_is_one(seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((3, 3))
    G, b = A @ A.T, 0.1 * rng.standard_normal(3)
    v = maximum(G, b)
    if v is None:
        return
    assert_allclose(v @ v, 1.0, rtol=1e-6)
    near = v + 0.01 * rng.standard_normal((500, 3))
    near /= np.linalg.norm(near, axis=1)[:, None]
    assert (np.einsum("ni,ij,nj->n", near, G, near) - 2.0 * near @ b).max() <= v @ G @ v - 2.0 * v @ b + 1e-9


def test_without_a_linear_term_the_maximum_is_the_leading_eigenvector():
    G = np.diag([1.0, 3.0, 2.0]) + 0.1
    v = maximum(G, np.zeros(3))
    assert v[0] > 0.0
    assert_allclose(np.abs(v), np.abs(np.linalg.eigh(G)[1][:, -1]), atol=1e-12)


def test_it_leaves_a_point_near_which_plain_steps_stop():
    moments = Gram(np.corrcoef(load_wine().data.T))
    stopped, _, _ = plain_steps(moments, soft, 0.33356, 1e-6)
    limit, loading, _ = plain_steps(moments, soft, 0.33356, 1e-14)
    found = penalised_ascent(moments, soft, 0.33356, first_variance(moments, 1), 1e-6, 1000)
    assert stopped < 0.6 * limit
    assert_allclose(found.objective, limit, rtol=1e-7)
    assert_array_equal(found.loading != 0.0, loading != 0.0)


@pytest.mark.parametrize("penalty", [soft, hard], ids=["l1", "l0"])
@pytest.mark.parametrize("k", [1, 5, 19])
def test_the_compiled_steps_with_as_many_nonzeros_rest_where_the_others_do(penalty, k):
    X = np.random.default_rng(k).standard_normal((8000, 20)) @ np.random.default_rng(0).standard_normal((20, 20))
    w = np.eye(20)[0]
    matrix, samples = Gram(X.T @ X / 8000), Data(X)
    assert compact(matrix) is not None
    assert compact(samples) is None
    assert_allclose(threshold_for(matrix, penalty, k, w), threshold_for(samples, penalty, k, w), rtol=1e-9)
