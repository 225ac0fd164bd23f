"""What a try is made of: budget, choice, matching, stability, outliers, the winner, the bend of a curve."""

from __future__ import annotations

import math
import sys
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from spcabench_methods import TPower

from spcabench.explore.choice import SHARE, choose, kept, thinned
from spcabench.explore.components import directions
from spcabench.explore.fitting import Fits, Point, curve_levels, fit_limit
from spcabench.explore.judging import best_index, elbow, winner
from spcabench.explore.outliers import distances, outliers
from spcabench.explore.stability import matched, stability, verdict, word
from spcabench.explore.wishes import Budget, seconds_of
from spcabench.wording import InputError

SELECTOR = "spcabench_methods:SparsePCASelector"


def planted(n=120, d=30, thetas=(24, 6), k=5, seed=0):
    """Draw components of k equal entries, each with features of its own; centred."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    for j, theta in enumerate(thetas):
        X[:, j * k : (j + 1) * k] += np.sqrt(theta / k) * rng.standard_normal((n, 1))
    return X - X.mean(axis=0)


def fit(X):
    return TPower(2, 5, init="decreasing").fit(X).components_


def test_a_budget_is_read_and_spent():
    assert [seconds_of(text) for text in ("60s", "1.5 min", "1h", "30")] == [60, 90, 3600, 30]
    with pytest.raises(InputError, match="'soon' is no time; valid are 90s, 2min or 1h"):
        seconds_of("soon")
    with pytest.raises(InputError, match="too short"):
        seconds_of("3s")
    budget = Budget(60, started=time.monotonic() - 20)
    assert 32 < budget.left < 33
    assert Budget(60, started=time.monotonic() - 70).left == 0


def test_components_and_nonzeros_are_chosen_in_the_time_there_is(tmp_path):
    X = planted()
    found = choose(X, SELECTOR, None, None, Budget(3600))
    assert found.n_nonzero == [5, 5]
    assert found.counts["parallel"] == 2
    assert found.eigenvalues[1] > found.chance[1]
    assert found.eigenvalues[2] < found.chance[2]
    assert list(found.rules) == ["ebic", "held_out", "weighed"]
    hurried = choose(X, SELECTOR, 2, None, Budget(10, started=time.monotonic() - 10))
    assert list(hurried.rules) == ["ebic"]
    assert hurried.notes == [
        "The budget has no time for half-samples: one criterion alone chose.",
        "The budget had time to compare 6 of 17 cardinalities.",
    ]
    wide = choose(planted(40, 60), SELECTOR, None, None, Budget(10, started=time.monotonic() - 10))
    assert wide.counts["sparse"] == wide.n_components == 1
    assert "The count stopped at 1: more components may be there." in wide.notes
    told = choose(X, SELECTOR, 1, 7, Budget(60))
    assert (told.n_nonzero, told.level, told.counts, told.rules) == ([7], 7, {}, {})
    file = tmp_path / "choice.json"
    assert kept(file, "a", lambda: found) == found
    assert kept(file, "a", lambda: pytest.fail("it was kept")) == found
    assert kept(file, "b", lambda: told) == told


def test_stability_separates_true_variables_from_false_ones():
    X = planted()
    rng = np.random.default_rng(1)
    halves = [fit(X[rng.permutation(len(X))[:60]]) for _ in range(12)]
    found = stability(fit(X), halves)
    for j in range(2):
        true = np.zeros(30, dtype=bool)
        true[5 * j : 5 * j + 5] = True
        assert found.frequencies[j, true].min() >= 0.7
        assert found.frequencies[j, ~true].max() < 0.5
    assert found.kuncheva.min() > 0.75
    noise = rng.standard_normal((120, 30))
    chance = stability(fit(noise), [fit(noise[rng.permutation(120)[:60]]) for _ in range(12)])
    assert chance.kuncheva.max() < 0.6


def test_supports_are_compared_and_components_matched():
    whole = np.eye(3)[:2]
    other = np.array([[0.0, -1.0, 0.0], [0.3, 0.0, 0.95]])
    np.testing.assert_array_equal(matched(whole, other), [[0, 0, 0], [0, -1, 0]])
    found = stability(whole, 3 * [other, np.eye(3)[[0, 1]]])
    assert found.frequencies[:, :2].tolist() == [[0.5, 0.0], [0.0, 1.0]]
    assert found.kuncheva[1] == found.jaccard[1] == 1
    assert np.isnan(stability(whole, 4 * [other]).frequencies).all()
    assert [word(p) for p in (0.7, 0.5, 0.4, math.nan)] == ["stable", "leaning", "not supported", ""]
    assert [verdict(v) for v in (0.8, 0.5, 0.3, 0.1, math.nan)] == [
        *("stable", "intermediate", "poor", "no variable can be named", "not judged"),
    ]


def test_outlying_rows_are_flagged_and_what_depends_on_them_is_named():
    X = planted(thetas=(6,), seed=3)
    X[[7, 40, 90]] += 12 * np.eye(30)[20:25].sum(axis=0)
    X -= X.mean(axis=0)

    def one(rows):
        return TPower(1, 5, init="decreasing").fit(rows).components_

    found = outliers(X, one(X), one, 0.0, Budget(60))
    assert sorted(found.flagged[:3].tolist()) == [7, 40, 90]
    assert found.many
    assert found.moved.tolist() == [True]
    assert found.cosines[0] < 0.5
    clean = planted(thetas=(6,), seed=3)
    calm = outliers(clean, one(clean), one, 0.0, Budget(60))
    assert not calm.many
    assert not calm.moved.any()
    late = outliers(X, one(X), one, 0.0, Budget(10, started=time.monotonic() - 10))
    assert late.note == "The budget has no time for fits without these rows."
    assert np.isnan(late.cosines).all()


def test_distances_serve_more_features_than_rows():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 200))
    X[4] *= 6
    score, orthogonal = distances(X, 2)
    assert int(np.maximum(score, orthogonal).argmax()) == 4
    np.testing.assert_allclose(directions(X, 3) @ directions(X, 3).T, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(np.abs(directions(X, 3) @ np.linalg.svd(X)[2][:3].T), np.eye(3), atol=1e-8)


def cells(values, seconds=0.1):
    rows = [(method, seed, value) for method, series in values.items() for seed, value in enumerate(series)]
    frame = pd.DataFrame(rows, columns=["method", "seed", "cpev_test"])
    return frame.assign(cpev=frame["cpev_test"], fit_time=seconds, status="ok", reason="")


def test_only_fits_that_reached_the_chosen_nonzeros_are_judged():
    names = ["method", "n_nonzero", "missed_components", "status", "fitted_nonzeros", "cpev", "adjusted_variance"]
    rows = [
        ("a", (3, 2), 0, "ok", 2.5, 0.6, 0.5),
        ("a", 1, 0, "ok", 1, 0.3, 0.2),
        ("b", (3, 2), 1, "ok", 2.0, 0.5, 0.4),
        ("c", (3, 2), np.nan, "timeout", np.nan, np.nan, np.nan),
        ("d", (3, 2), 0, "not_converged", 2.5, 0.6, 0.5),
        ("a", 2, 0, "ok", 1, 0.3, 0.2),
    ]
    found = Fits(("a", "b", "c", "d"), [3, 2], SimpleNamespace(frame=pd.DataFrame(rows, columns=names)))
    assert found.whole["method"].tolist() == ["a", "d"]
    assert found.points("a") == (Point(1, 0.3, 0.2), Point(2.5, 0.6, 0.5))
    assert (found.points("c"), found.half_loadings("a"), found.half.empty) == ((), [], True)


def test_ties_go_to_the_method_that_comes_first():
    draws = np.random.default_rng(0).normal(0.5, 0.02, 10)
    halves = cells({"a": draws, "b": draws + 0.0002, "c": draws - 0.1})
    found = winner(["a", "b", "c", "d"], halves, halves, halves)
    assert found.method == "a"
    assert found.tied == ("b",)
    assert [one.method for one in found.reached] == ["b", "a", "c"]
    assert found.n_halves == 10
    assert dict(found.unfinished) == {"d": ""}
    better = winner(["a", "b"], halves, cells({"a": draws - 0.1, "b": draws}), halves)
    assert (better.method, better.tied) == ("b", ())
    few = winner(["a", "c"], halves, halves[halves["seed"] < 4], halves)
    assert (few.method, few.n_halves) == ("a", 0)
    alone = winner(["a", "b"], cells({"a": [0.4], "b": [0.5]}), pd.DataFrame(), halves)
    assert (alone.method, alone.n_halves) == ("b", 0)


@pytest.mark.parametrize(
    ("seconds", "fit", "limit"),
    [(24, 0.01, 2), (24, 1, 4), (24, 9, 10), (60, 9, 20), (1, 0.5, 2), (1, 9, 10), (1, 0, 1)],
)
def test_a_fit_has_a_part_of_its_run_or_what_it_is_known_to_take(seconds, fit, limit):
    assert fit_limit(seconds, fit) == limit


def test_a_curve_bends_where_more_nonzeros_add_little():
    points = [Point(k, 1 - 0.5**k, 1 - 0.5**k) for k in (1, 2, 3, 4, 6, 8, 12)]
    found = elbow(points)
    assert found.nonzeros == 4
    assert found.before > 5 * found.after > 0
    assert elbow(points[:2]) is None
    assert best_index(points, 13, 1.0) == 4
    assert curve_levels(5, 13) == [1, 2, 3, 7, 10]
    assert curve_levels([11, 2], 13)[-1] == 12


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


@pytest.fixture
def chosen(monkeypatch):
    def choosing(shape, slower, seconds=60.0, started=0.0):
        clock = Clock(slower)
        monkeypatch.setitem(sys.modules, "played", SimpleNamespace(Selector=selector_on(clock)))
        X = np.zeros(shape, dtype=np.int8)
        return choose(X, "played:Selector", None, None, Budget(seconds, started=started, clock=clock)), clock.now

    return choosing


@pytest.mark.parametrize("shape", [(178, 13), (60, 7000), (20000, 50), (5000, 2000)], ids=str)
@pytest.mark.parametrize("slower", [1, 4, 16])
def test_a_choice_ends_in_time_however_slow_the_machine(chosen, shape, slower):
    choice, seconds = chosen(shape, slower)
    assert seconds <= 1.1 * SHARE * 52.8
    if shape[1] <= 50:
        assert (choice.n_components, choice.n_permutations) == (4, 19)
        assert choice.notes == ["Chosen with 10 folds and 20 half-samples."]


def test_what_was_left_out_is_said(chosen):
    choice, _ = chosen((20000, 2000), 2)
    assert (choice.n_components, choice.n_permutations) == (4, 4)
    assert choice.notes == [
        "The budget has no time for half-samples: one criterion alone chose.",
        "Components and variables were counted on 2500 of 20000 rows, drawn at random.",
    ]
    late, _ = chosen((178, 13), 1, started=-60.0)
    assert (late.n_components, late.n_permutations) == (3, 4)  # eigenvalues need no time


def test_cardinalities_are_thinned_evenly():
    assert thinned(range(1, 14), 13) == thinned(range(1, 14), 99) == list(range(1, 14))
    assert thinned([1, 2], 1) == [1, 2]
    assert thinned(range(1, 14), 0) == [1, 3, 6, 8, 11, 13]
