"""What a method draws follows from its random_state alone; several starts, and advice where one did not converge."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import EMPCA, RSPCA, AMGPower, ExactSPCA, Splicing, TPower
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.checks import random_source


def drawn(random_state):
    return random_source(random_state).standard_normal(3).tolist()


def test_what_is_drawn_follows_from_the_random_state():
    assert drawn(1) == drawn(np.int64(1)) != drawn(2)
    for source in (np.random.RandomState(0), np.random.default_rng(0)):
        assert random_source(source) is source
        assert drawn(source) != drawn(source)
    np.random.seed(5)  # noqa: NPY002
    first = drawn(None)
    np.random.seed(5)  # noqa: NPY002
    assert drawn(None) == first
    assert drawn(None) != first


@pytest.mark.parametrize("method", [RSPCA(init="random"), AMGPower(variance="l1", init="random")], ids=repr)
def test_a_generator_goes_on_from_where_it_is(method, samples):
    source = np.random.default_rng(0)
    method.set_params(random_state=source).fit(samples)
    assert source.bit_generator.state != np.random.default_rng(0).bit_generator.state


@pytest.mark.parametrize(
    ("method", "advice"),
    [
        (TPower(max_iter=1), "raise max_iter or tol"),
        (Splicing(n_nonzero=4, init="top_variance", max_iter=1), "raise max_iter"),
        (ExactSPCA(n_nonzero=10, max_iter=1), "raise max_iter or tol or time_limit"),
    ],
    ids=repr,
)
def test_advice_names_parameters_that_there_are(method, advice):
    noise = np.random.default_rng(0).standard_normal((60, 40))
    with pytest.warns(ConvergenceWarning, match="did not converge") as caught:
        method.fit(noise)
    assert str(caught[0].message).endswith(advice)


CASES = [
    (AMGPower(1, 5, variance="l1", random_state=0, max_iter=4), 3, 20),
    (EMPCA(1, 5, random_state=0, max_iter=40), 4, 20),
    (RSPCA(1, 5, init="multi", random_state=0, max_iter=6), 3, 20),
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
