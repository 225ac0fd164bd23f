"""A random generator keeps its state, and the advice of a method that did not converge."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from spcabench_methods import RSPCA, AMGPower, ExactSPCA, Splicing, TPower


@pytest.fixture
def samples():
    return np.random.default_rng(0).standard_normal((30, 8)) * np.arange(1, 9)


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
