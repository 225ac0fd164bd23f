"""What a method draws follows from its `random_state` alone."""

import numpy as np
from spcabench_methods.core.randomness import random_source


def drawn(random_state):
    return random_source(random_state).standard_normal(3).tolist()


def test_a_seed_says_what_is_drawn():
    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_an_object_goes_on_from_where_it_is():
    for source in (np.random.RandomState(0), np.random.default_rng(0)):
        assert random_source(source) is source
        assert drawn(source) != drawn(source)


def test_without_a_seed_the_global_state_of_numpy_draws():
    np.random.seed(5)  # noqa: NPY002
    first = drawn(None)
    np.random.seed(5)  # noqa: NPY002
    assert drawn(None) == first
    assert drawn(None) != first
