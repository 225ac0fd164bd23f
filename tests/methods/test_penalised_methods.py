"""What the penalised methods share: dense limits, monotone objectives, targets, and parameters that are refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from spcabench_methods import ALSPCA, DCPCA, EMPCA, PCA, PMD, SPCA, SCoTLASS
from spcabench_methods.core.moments import Data

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 200}


@pytest.mark.parametrize(
    "method",
    [
        SCoTLASS(2, 99, **EXACT),
        SCoTLASS(2, bound=9.0, orth="exact", tol=1e-12),
        PMD(2, 99, **EXACT),
        PMD(2, bound=9.0, deflation="schur", **EXACT),
        DCPCA(2, 99, **EXACT),
        DCPCA(2, rho=0.0, refit=False, tol=0.0),
        EMPCA(2, 99, **EXACT),
        SPCA(2, 99, ridge=0.1),
        SPCA(2, l1=0.0, ridge=0.1),
        SPCA(2, 99, ridge="inf"),
        SPCA(2, l1=0.0, ridge="inf"),
        ALSPCA(2, rho=0.0),
        ALSPCA(2, rho=0.0, max_correlation=0.0),
    ],
    ids=repr,
)
def test_dense_limit_is_pca(tall, method):
    assert_allclose(method.fit(tall).components_, PCA(2).fit(tall).components_, atol=1e-8)


@pytest.mark.parametrize(
    ("method", "sense"),
    [
        (SCoTLASS(1, bound=1.7, tol=0.0), 1),
        (PMD(1, bound=1.7, tol=0.0), 1),
        (DCPCA(1, rho=0.1, refit=False, tol=0.0), 1),
        (SPCA(2, l1=0.2, ridge=0.01, tol=0.0), -1),
    ],
    ids=repr,
)
def test_objective_is_monotone(tall, method, sense):
    path = [clone(method).set_params(max_iter=m).fit(tall).objective_.sum() for m in range(1, 20)]
    assert np.all(sense * np.diff(path) >= -1e-10)
    assert sense * (path[-1] - path[0]) > 1e-6


def test_rotated_samples_give_the_same(X):
    A = X - X.mean(axis=0)
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((len(A), len(A))))[0]
    for method in (SCoTLASS(2, 4), SPCA(2, 4), EMPCA(2, 4, n_init=0)):
        rotated = clone(method)
        rotated._read = lambda Y, mean: (np.zeros(Y.shape[1]), Data(Q @ A), Data(Q @ A))
        assert_allclose(rotated.fit(X).components_, clone(method).fit(X).components_, atol=1e-7)


def test_a_missed_target_is_recorded():
    x, noise = np.random.default_rng(0).standard_normal((2, 50, 1))
    tied = 0.5 * x + 0.3 * noise
    dcpca = DCPCA(1, 2).fit(np.hstack([2.0 * x, tied, tied]))
    assert dcpca.n_nonzero_[0] == 1
    assert not dcpca.exact_cardinality_[0]


@pytest.mark.parametrize("method", [PMD(2, 3, bound=1.5), SPCA(2, 3, l1=0.1), DCPCA(2, 3, rho=0.1)], ids=repr)
def test_two_ways_to_set_sparsity(method):
    with pytest.raises(ValueError, match="both given"):
        method.fit(np.eye(4))


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (SCoTLASS(bound=0.9), r"'bound' parameter .*\[1.*, inf.* Got 0\.9"),
        (PMD(bound=[1.5, 0.5]), r"'bound' parameter .* Got \[1\.5, 0\.5\]"),
        (DCPCA(rho=-1.0), r"'rho' parameter .*\[0.*, inf.* Got -1\.0"),
        (DCPCA(eps=0.0), r"'eps' parameter .*\(0.*, inf.* Got 0\.0"),
        (EMPCA(n_init=-1), r"'n_init' parameter .*\[0.* Got -1"),
        (SPCA(ridge="infinite"), r"'ridge' parameter .*inf.* Got 'infinite'"),
        (SPCA(l1=[0.1, 0.1, 0.1]), "l1 has 3 values"),
        (ALSPCA(tol=0.0), r"'tol' parameter .*\(0.*, inf.* Got 0\.0"),
        (ALSPCA(rho=[0.1]), "rho has 1 values"),
    ],
    ids=repr,
)
def test_invalid_parameters(method, words):
    with pytest.raises(ValueError, match=words):
        method.fit(np.eye(4))
