"""A choice keeps to its seconds, whatever the table and however slow the machine: on a clock of its own."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from spcabench.explore.budget import Budget
from spcabench.explore.choice import SHARE, choose
from spcabench.explore.pace import thinned

RATE = 4e10
"""Multiplications in a second of the machine that is played."""


class Clock:
    def __init__(self, slower):
        self.now, self.rate = 0.0, RATE / slower

    def __call__(self):
        return self.now

    def work(self, multiplications):
        self.now += multiplications / self.rate


def selector_on(clock, found=4):
    """Return a class that chooses like a selector, and takes the time of its steps on a clock."""

    class Selector:
        def __init__(self, **how):
            self.how = {"cv": 10, "n_resamples": 20, "n_permutations": 19, "max_components": 10} | how
            self.n_permutations, self.max_components = self.how["n_permutations"], self.how["max_components"]

        def fit(self, X):
            (n, d), how, grid = X.shape, self.how, self.how["n_nonzero"]
            small, large = sorted(X.shape)
            one = 200 * min(n * d, d**2) + 1e7  # a fit of a component
            r = how["n_components"]
            if r == "auto":
                r = min(found, how["max_components"])
                sets = 1 + how["n_permutations"]
                clock.work(sets * small**2 * (large + 2.5 * small) + (sets * r * 5 * one if d > n else 0))
                self.counts_ = {"parallel": r}
                self.scree_, self.bi_cv_errors_ = np.ones((2, 20)), np.ones(3)
            paths = 1 if how.get("criterion") == "ebic" else 1 + how["cv"] + how["n_resamples"]
            clock.work(r * paths * len(grid) * one)
            self.grid_, self.n_components_, self.n_nonzero_ = np.array(grid), r, np.full(r, grid[0])
            rules = ["ebic"] if paths == 1 else ["ebic", "held_out", "weighed"]
            self.answers_ = dict.fromkeys(rules, self.n_nonzero_)
            self.curves_ = {rule: np.ones((r, len(grid))) for rule in rules}
            return self

    return Selector


@pytest.mark.parametrize("shape", [(178, 13), (60, 7000), (20000, 50), (5000, 2000)], ids=str)
@pytest.mark.parametrize("slower", [1, 4, 16])
def test_a_choice_ends_in_time(monkeypatch, shape, slower):
    clock = Clock(slower)
    monkeypatch.setitem(sys.modules, "played", SimpleNamespace(Selector=selector_on(clock)))
    budget = Budget(60.0, started=0.0, clock=clock)
    choice = choose(np.zeros(shape, dtype=np.int8), "played:Selector", None, None, budget)
    assert clock.now <= 1.1 * SHARE * 52.8
    assert choice.seconds > 0
    if slower == 1:
        assert choice.n_components == 4
    if shape[1] <= 50 or (slower == 1 and shape[0] == 60):
        assert choice.n_permutations == 19
        assert list(choice.rules) == ["ebic", "held_out", "weighed"]
        assert choice.notes == ["Chosen with 10 folds and 20 half-samples."]


def test_what_was_left_out_is_said(monkeypatch):
    clock = Clock(2)
    monkeypatch.setitem(sys.modules, "played", SimpleNamespace(Selector=selector_on(clock)))
    X = np.zeros((20000, 2000), dtype=np.int8)
    found = choose(X, "played:Selector", None, None, Budget(60.0, started=0.0, clock=clock))
    assert found.n_permutations == 4
    assert found.notes == [
        "The budget has no time for half-samples: one criterion alone chose.",
        "Components and variables were counted on 5000 of 20000 rows, drawn at random.",
        "The budget had time to compare 10 of 23 cardinalities.",
    ]


def test_eigenvalues_may_count_three_components_without_any_time(monkeypatch):
    clock = Clock(1)
    monkeypatch.setitem(sys.modules, "played", SimpleNamespace(Selector=selector_on(clock)))
    late = Budget(60.0, started=-60.0, clock=clock)
    choice = choose(np.zeros((178, 13), dtype=np.int8), "played:Selector", None, None, late)
    assert (choice.n_components, choice.n_permutations) == (3, 4)


def test_cardinalities_are_thinned_evenly():
    assert thinned(range(1, 14), 13) == thinned(range(1, 14), 99) == list(range(1, 14))
    assert thinned([1, 2], 1) == [1, 2]
    assert thinned(range(1, 14), 0) == [1, 3, 6, 8, 11, 13]
