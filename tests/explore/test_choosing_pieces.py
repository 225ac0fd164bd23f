"""What a try is made of: budget, choice, matching, stability, outliers, the winner, the bend of a curve."""

from __future__ import annotations

import math
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from spcabench_methods import TPower

from spcabench.explore.choice import choose
from spcabench.explore.components import directions
from spcabench.explore.fitting import Fits, curve_levels
from spcabench.explore.judging import elbow, matched, stability, verdict, winner, word
from spcabench.explore.outliers import distances, outliers
from spcabench.explore.wishes import Budget, seconds_of
from spcabench.store.frame import Level
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


def test_components_and_nonzeros_are_chosen_alike_each_time():
    X = planted()
    found = choose(X, SELECTOR, None, None)
    assert found == choose(X, SELECTOR, None, None)
    assert (found.n_nonzero, found.counts["parallel"], found.n_permutations) == ([5, 5], 2, 19)
    assert found.eigenvalues[1] > found.chance[1]
    assert found.eigenvalues[2] < found.chance[2]
    assert found.rules == {"together": [5, 5]}
    assert found.notes == ["Chosen for all components together, with 5 folds."]
    told = choose(X, SELECTOR, 1, 7)
    assert (told.n_nonzero, told.level, told.counts, told.rules) == ([7], 7, {}, {})
    assert (told.eigenvalues, told.notes) == ([], ["You chose how sparse."])
    assert "one criterion alone chose" in choose(X[:15], SELECTOR, 1, None).notes[0]


def test_a_large_table_is_chosen_from_by_a_part_that_is_said(monkeypatch):
    monkeypatch.setattr("spcabench.explore.choice.MOST_VALUES", 240 * 30)
    monkeypatch.setattr("spcabench.explore.choice.SMALL", 7000)
    found = choose(planted(300), SELECTOR, None, None)
    assert found.n_nonzero == [5, 5]
    assert found.notes == [
        "Chosen for all components together, with 5 folds.",
        "Components and variables were counted on 240 of 300 rows, drawn at random.",
    ]


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
    assert found.kuncheva[1] == 1
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
    names = ["method", "n_nonzero", "missed_components", "status", "fitted_nonzeros", "cpev"]
    rows = [
        ("a", (3, 2), 0, "ok", 2.5, 0.6),
        ("a", 1, 0, "ok", 1, 0.3),
        ("b", (3, 2), 1, "ok", 2.0, 0.5),
        ("c", (3, 2), np.nan, "timeout", np.nan, np.nan),
        ("d", (3, 2), 0, "not_converged", 2.5, 0.6),
        ("a", 2, 0, "ok", 1, 0.3),
    ]
    frame = pd.DataFrame(rows, columns=names)
    frame["n_nonzero"] = [Level(target) for target in frame["n_nonzero"]]
    found = Fits(("a", "b", "c", "d"), [3, 2], SimpleNamespace(frame=frame))
    assert found.whole["method"].tolist() == ["a", "d"]
    assert found.points("a") == [(1, 0.3), (2.5, 0.6)]
    assert (found.points("c"), found.half_loadings("a"), found.half.empty) == ([], [], True)


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


def test_a_curve_bends_where_more_nonzeros_add_little():
    points = [(k, 1 - 0.5**k) for k in (1, 2, 3, 4, 6, 8, 12)]
    found = elbow(points)
    assert found.nonzeros == 4
    assert found.before > 5 * found.after > 0
    assert elbow(points[:2]) is None
    assert curve_levels(5, 13) == [1, 2, 3, 7, 10]
    assert curve_levels([11, 2], 13)[-1] == 12
