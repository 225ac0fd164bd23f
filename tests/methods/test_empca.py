"""EMPCA against a slow reference; its starts."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
from numpy.testing import assert_allclose
from spcabench_methods import EMPCA

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}


@pytest.mark.parametrize("nonnegative", [False, True])
def test_empca_reference(X, nonnegative):
    fitted = EMPCA(3, 4, nonnegative=nonnegative, n_init=0, tol=0.0, max_iter=1000).fit(X)
    assert_allclose(fitted.components_, reference.empca(X, 4, 3, nonnegative), atol=1e-7)


def test_empca_nonnegative(X):
    fitted = EMPCA(3, 5, nonnegative=True, random_state=0).fit(X)
    assert fitted.components_.min() == 0.0
    assert np.all(fitted.n_nonzero_ <= 5)


def test_empca_more_starts_are_no_worse(X):
    few, many = EMPCA(1, 4, n_init=0).fit(X), EMPCA(1, 4, n_init=20, random_state=0).fit(X)
    assert many.objective_[0] >= few.objective_[0] - 1e-12
