"""DCPCA against a slow reference and its objective."""

from __future__ import annotations

import numpy as np
import pytest
import reference_penalised as reference
from numpy.testing import assert_allclose
from spcabench_methods import DCPCA

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

GIVEN = {"covariance": "precomputed"}


def test_dcpca_reference(X):
    rho = 0.1 * X.var(axis=0).max()
    fitted = DCPCA(3, rho=rho, refit=False, tol=0.0, max_iter=1000).fit(X)
    assert 3 < fitted.n_nonzero_.sum() < 3 * X.shape[1]
    assert_allclose(fitted.components_, reference.dcpca(X, rho, 3), atol=1e-9)


@pytest.mark.parametrize("rho", [0.1, 0.3, 0.5, 0.8])
def test_pitprops_dcpca_objective(pitprops, rho):
    options = {"rho": rho, "refit": False, "tol": 0.0, **GIVEN}
    fits = [DCPCA(1, max_iter=m, **options).fit(pitprops) for m in range(1, 40)]
    objectives = [reference.dcpca_objective(pitprops, fit.components_[0], rho) for fit in fits]
    assert_allclose([fit.objective_[0] for fit in fits], objectives, atol=1e-12)
    assert np.diff(objectives).min() >= -1e-12
