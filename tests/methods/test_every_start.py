"""Methods of several starts converged only if every start did: one that ran out might have become the best."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import EMPCA, PCAL1, RSPCA, AMGPower, SCoTLASS, Splicing
from spcabench_methods.core.base import Component, best_of

CASES = [
    (AMGPower(1, 5, random_state=0, max_iter=20), 0, 20),
    (AMGPower(1, 5, variance="l1", random_state=0, max_iter=4), 3, 20),
    (EMPCA(1, 5, random_state=0, max_iter=40), 4, 20),
    (PCAL1(1, init="random", n_init=5, random_state=0, max_iter=4), 4, 20),
    (RSPCA(1, 5, init="multi", random_state=0, max_iter=6), 3, 20),
    (SCoTLASS(1, bound=2.0, init="multi", max_iter=40), 5, 20),
    (Splicing(1, 10, max_iter=1), 12, 40),
]


@pytest.mark.parametrize(("method", "seed", "n_features"), CASES, ids=repr)
def test_a_start_that_ran_out_is_said(method, seed, n_features):
    X = np.random.default_rng(seed).standard_normal((60, n_features))
    with pytest.warns(ConvergenceWarning, match="components 1 did not converge; raise max_iter"):
        fitted = clone(method).fit(X)
    assert not fitted.converged_[0]
    longer = clone(method).set_params(max_iter=1000).fit(X)
    assert longer.converged_[0]
    assert longer.objective_[0] >= fitted.objective_[0]


def test_the_first_of_the_best_ends():
    first, second, third = (Component(np.full(2, i), objective) for i, objective in enumerate([1.0, 2.0, 2.0]))
    assert best_of([first, second, third]).loading is second.loading
    assert best_of([first, second, third]).converged
    assert best_of([first, second._replace(objective=2.0 - 1e-12), third], tie=1e-9).objective == 2.0 - 1e-12
    assert not best_of([first._replace(converged=False), second]).converged
