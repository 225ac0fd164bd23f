"""What the penalised methods share: missed targets, and parameters that are refused."""

from __future__ import annotations

import numpy as np
import pytest
from spcabench_methods import ALSPCA, DCPCA, EMPCA, PMD, SPCA, SCoTLASS

pytestmark = pytest.mark.filterwarnings("ignore:components .* did not converge")

EXACT = {"tol": 0.0, "max_iter": 200}


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
