"""What draws random numbers, and what a method that did not converge tells to raise."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from registry import registered
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import RSPCA, AMGPower, ExactSPCA, Splicing, TPower

METHODS = registered()
DRAWING = [name for name, method in METHODS.items() if "random_state" in method.get_params()]


@pytest.fixture
def samples():
    return np.random.default_rng(0).standard_normal((30, 8)) * np.arange(1, 9)


@pytest.mark.parametrize("name", DRAWING)
def test_every_source_of_random_numbers_is_taken(name, samples):
    seeded = clone(METHODS[name]).set_params(random_state=7).fit(samples).components_
    state = clone(METHODS[name]).set_params(random_state=np.random.RandomState(7)).fit(samples).components_
    assert_array_equal(state, seeded)
    draws = [clone(METHODS[name]).set_params(random_state=np.random.default_rng(7)).fit(samples) for _ in range(2)]
    assert_array_equal(draws[0].components_, draws[1].components_)
    for other in (None, np.int64(7), np.random):
        clone(METHODS[name]).set_params(random_state=other).fit(samples)


@pytest.mark.parametrize("method", [RSPCA(init="random"), AMGPower(variance="l1", init="random")], ids=repr)
def test_a_generator_goes_on_from_where_it_is(method, samples):
    source = np.random.default_rng(0)
    method.set_params(random_state=source).fit(samples)
    assert source.bit_generator.state != np.random.default_rng(0).bit_generator.state


@pytest.mark.parametrize("name", DRAWING)
@pytest.mark.parametrize("bad", [-1, 2**32, 0.5, "x", True, [1]])
def test_what_cannot_draw_is_refused(name, bad, samples):
    with pytest.raises(ValueError, match=r"random_state is .*; valid is None, a whole number from 0 to 4294967295, or"):
        clone(METHODS[name]).set_params(random_state=bad).fit(samples)


@pytest.mark.parametrize(
    ("method", "advice"),
    [
        (TPower(max_iter=1), "raise max_iter or tol"),
        (Splicing(n_nonzero=4, init="top_variance", max_iter=1), "raise max_iter"),
        (ExactSPCA(max_iter=1), "raise max_iter or tol or time_limit"),
    ],
    ids=repr,
)
def test_advice_names_parameters_that_there_are(method, advice, samples):
    with pytest.warns(ConvergenceWarning, match="did not converge") as caught:
        method.fit(samples)
    assert str(caught[0].message).endswith(advice)
