"""The starts of TPower: a slow loop from each of them."""

from __future__ import annotations

import numpy as np
import pytest
import reference_power as reference
from numpy.testing import assert_allclose
from spcabench_methods import TPower

EXACT = {"tol": 0.0, "max_iter": 2000}
pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")


def power(C, w, k, n_iter=2000):
    for _ in range(n_iter):
        w = reference.largest(C @ w, k)
        w = w / np.linalg.norm(w)
    return w


def largest_variance(C):
    return np.eye(len(C))[np.argmax(np.diag(C))]


def decreasing(C, k):
    w = largest_variance(C)
    for wider in (8 * k, 4 * k, 2 * k):
        w = power(C, w, wider)
    return w


STARTS = {
    "max_variance": lambda C, k: largest_variance(C),
    "top_variance": lambda C, k: (reference.largest(np.diag(C), k) != 0.0) / np.sqrt(k),
    "pca": lambda C, k: np.linalg.eigh(C)[1][:, -1],
    "decreasing": decreasing,
}


@pytest.mark.parametrize("init", STARTS)
@pytest.mark.parametrize("k", [1, 3, 6])
def test_reference(X, init, k):
    C = reference.centred(X).T @ reference.centred(X)
    expected = reference.with_sign(power(C, STARTS[init](C, k), k))
    assert_allclose(TPower(1, k, init=init, **EXACT).fit(X).components_[0], expected, atol=1e-8)


def test_starts_lead_to_different_ends():
    X = np.random.default_rng(1).standard_normal((50, 200))
    ends = [TPower(1, 10, init=init).fit(X).objective_[0] for init in STARTS]
    assert len(set(np.round(ends, 6))) == 4


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-5])
def test_it_stops_at_the_first_step_that_gains_less_than_its_share(X, tol):
    """The variance of each step is that of as many steps without a stop; the loading itself moves by far more."""
    C = reference.centred(X).T @ reference.centred(X)
    w, variances = largest_variance(C), [-np.inf]
    while len(variances) < 2 or variances[-1] - variances[-2] >= tol * variances[-1]:
        w = power(C, w, 5, n_iter=1)
        variances.append(w @ C @ w)
    fitted = TPower(1, 5, init="published", tol=tol).fit(X)
    assert fitted.n_iter_per_component_[0] == len(variances) - 1
    assert_allclose(fitted.objective_[0], variances[-1], rtol=1e-12)
