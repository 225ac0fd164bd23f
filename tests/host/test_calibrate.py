"""The search for the penalty of a wanted cardinality."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spcabench import search_penalty


class Fit:
    """Count what exceeds the penalty; remember the penalties asked for."""

    def __init__(self, count):
        self.count = count
        self.seen = []

    def __call__(self, penalty):
        self.seen.append(penalty)
        return self.count(penalty), f"fit at {penalty}"


def above(values):
    return lambda penalty: sum(value > penalty for value in values)


def test_a_miss_stops_when_the_bracket_is_narrow():
    fit = Fit(above([2] * 5))
    found = search_penalty(fit, 0, 8, 3, max_fits=1000)
    assert found.n_fits == len(fit.seen) < 40
    assert fit.seen[-1] == pytest.approx(2, rel=1e-9)


@pytest.mark.parametrize(
    ("given_values", "message"),
    [
        ((2, 1, 3), r"the bracket is \[2, 1\]; valid are two finite numbers, the smaller first"),
        ((math.nan, 1, 3), r"the bracket is \[nan, 1\]"),
        ((0, math.inf, 3), r"the bracket is \[0, inf\]"),
        ((0, 1, 0), "n_nonzero is 0 and max_fits 50; valid is a whole number from 1"),
        ((0, 1, 1, 0), "n_nonzero is 1 and max_fits 0; valid is a whole number from 1"),
    ],
)
def test_bad_input(given_values, message):
    with pytest.raises(ValueError, match=message):
        search_penalty(Fit(above([1])), *given_values)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30), st.data())
def test_every_cardinality_of_distinct_values_is_reached(values, data):
    target = data.draw(st.integers(1, len(values)))
    found = search_penalty(Fit(above(values)), 0, 1001, target)
    reachable = {above(values)(penalty) for penalty in [0, *values]}
    assert found.reached == (target in reachable)
    some = reachable - {0}
    assert found.n_nonzero == max((c for c in some if c <= target), default=min(some))


@given(st.integers(0, 2**32 - 1), st.integers(1, 20), st.integers(1, 60))
def test_of_all_fits_made_the_best_is_chosen(seed, target, max_fits):
    table = np.random.default_rng(seed).integers(0, 21, 64)
    fit = Fit(lambda penalty: int(table[int(penalty * 63)]))
    found = search_penalty(fit, 0.0, 1.0, target, max_fits)
    counts = [fit.count(penalty) for penalty in fit.seen]
    ranks = [(count == 0, count > target, abs(count - target)) for count in counts]
    assert found.n_fits == len(fit.seen) <= max_fits
    assert found.penalty == fit.seen[ranks.index(min(ranks))]
    assert found.n_nonzero == fit.count(found.penalty)
    assert found.result == f"fit at {found.penalty}"
    assert found.reached == (found.n_nonzero == target)
    assert target not in counts[:-1], "it stops at the first that reaches the target"
