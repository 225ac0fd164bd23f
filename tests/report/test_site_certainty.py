"""What the site says of its certainty: tests, wins, profiles, tuning; and whether planted truths are found."""

import math

import numpy as np
import pytest
from boards import board_cell, board_run, of, three, track

from spcabench.report.document import Table
from spcabench.site import certainty
from spcabench.site.meetings import meetings
from spcabench.site.plots import Axis, Curves, Dots
from spcabench.site.problems import problems
from spcabench.site.tasks import tasks

MANY = tuple("abcdefghijkl")


def many(make, datasets=MANY, seeds=1, **methods):
    """Return a run on many data sets, on each of which a method has one value."""
    cells = [
        board_cell(make, method, value, dataset, seed=seed, total_time=0.01, n_fits=float(len(method)))
        for dataset in datasets
        for seed in range(seeds)
        for method, value in methods.items()
    ]
    return board_run(make, cells, datasets=datasets)


def parts(results, kind):
    page = certainty.page("certainty.html", of(results), [results])
    return [part for section in page.sections for part in section.parts if isinstance(part, kind)]


def test_many_data_sets_tell_methods_apart_and_few_do_not(make):
    found = list(certainty.conclusions(of(many(make, dense=0.9, low=0.2, mid=0.6, top=0.8))))
    assert "they are not all alike" in " ".join(found)
    assert "so 3 pairs are told apart, and 0 are not" in " ".join(found)
    assert "a method must win 10 of 12 data sets" in " ".join(found)
    assert "tier 1, which may be the best, has top; then 1 in tier 2, 1 in tier 3" in " ".join(found)
    few = " ".join(certainty.conclusions(of(three(make, dense=0.9, low=0.2, mid=0.6, top=0.8))))
    assert "No pair of 3 methods can be told apart on 3 data sets, whatever the values: that takes 7." in few


def test_the_figures_of_ranks_have_the_best_on_top_and_bars_where_methods_are_alike(make):
    top, panel = parts(many(make, dense=0.9, low=0.2, mid=0.6, same=0.6), Dots)
    assert [row.method for row in top.rows] == ["mid", "same", "low"]
    assert [row.place for row in top.rows] == [0.25, 0.25, 1.0]
    assert top.rows[2].said == "3.0, 3.0 to 3.0"
    assert panel.bars == ((0, 1),)
    (wins,) = [
        table for table in parts(many(make, dense=0.9, low=0.2, mid=0.6, same=0.6), Table) if "Wins" in table.caption
    ]
    assert [entry.value for entry in wins.rows[0].entries] == ["mid", None, "0 / 12 / 0", "12 / 0 / 0"]


def test_a_profile_counts_failures_and_misses_among_all_problems(make):
    results = many(make, "abcd", dense=0.9, low=0.2, mid=0.6, slow=0.6)
    frame = results.frame
    frame.loc[frame["method"] == "slow", "total_time"] = 0.03
    frame.loc[(frame["method"] == "mid") & (frame["dataset"] == "a"), "status"] = "timeout"
    frame.loc[(frame["method"] == "mid") & (frame["dataset"] == "b"), "missed_components"] = 1.0
    found = problems([results], list(tasks(results)), "total_time")
    costs = dict(zip(found.methods, found.costs.T.tolist(), strict=True))
    assert costs == {"low": [0.01] * 4, "mid": [math.inf, math.inf, 0.01, 0.01], "slow": [0.03] * 4}
    (numbers,) = [table for table in parts(results, Table) if "Shares" in table.caption]
    assert [[entry.value for entry in row.entries] for row in numbers.rows] == [
        ["low", 1.0, 1.0, 1.0, 1.0],
        ["mid", 0.5, 0.5, 0.5, 0.5],
        ["slow", 1.0, 0.0, 0.0, 1.0],
    ]
    (curve,) = parts(results, Curves)
    assert {one.method: one.points[-1][1] for one in curve.curves} == {"low": 1.0, "mid": 0.5, "slow": 1.0}


def test_gaps_are_drawn_beside_a_bound_that_no_method_moves(make):
    cells = [
        board_cell(make, method, 0.5, dataset, nor=gap)
        for dataset in "abc"
        for method, gap in {"dense": 0.5, "low": 0.1, "mid": 0.0}.items()
    ]
    absolute, ratios, _ = parts(board_run(make, cells, [track(metric="nor")]), Curves)
    assert {one.method: one.points[0][1] for one in absolute.curves} == {"low": 0.0, "mid": 1.0}
    assert "reads against the best only" in ratios.caption


def test_what_was_spent_on_tuning_is_shown(make):
    (spent,) = [
        table for table in parts(many(make, dense=0.9, low=0.2, longer=0.6), Table) if "cells that" in table.caption
    ]
    assert [[entry.value for entry in row.entries[:3]] for row in spent.rows] == [
        ["longer", 6.0, 6.0],
        ["low", 3.0, 3.0],
    ]


def test_a_method_meets_each_other_one_on_the_data_sets_that_both_enter(make):
    results = many(make, dense=0.9, low=0.2, mid=0.6, some=0.9)
    away = (results.frame["method"] == "some") & results.frame["dataset"].isin(list("ab"))
    results.frame.loc[away, "status"] = "skipped"
    met = meetings(list(tasks(results)))
    assert [(one.other, one.won, one.tied, one.lost, one.verdict) for one in met["mid"]] == [
        ("low", 12, 0, 0, "surely better"),
        ("some", 0, 0, 10, "surely worse"),
    ]


def test_an_axis_has_round_numbers():
    assert Axis("rank", 1.0, 9.0).ticks == ((0.125, "2"), (0.375, "4"), (0.625, "6"), (0.875, "8"))
    assert Axis("gap", 1e-2, 1.0, log=True).ticks == ((0.0, "0.01"), (0.5, "0.1"), (1.0, "1"))


def leaderboard(make, seed, n=20, m=10, draws=4):
    """Simulate a leaderboard: copy is a copy of the method one, and worse is it with 2 % less variance."""
    rng = np.random.default_rng(seed)
    true = 0.7 - np.abs(rng.normal(0, 0.02, m)) + rng.normal(0, 0.01, (n, m))
    names = ["one", "copy", "worse", *(f"other{place}" for place in range(m - 3))]
    true[:, 1], true[:, 2] = true[:, 0], true[:, 0] * 0.98
    values = true + rng.normal(0, 0.01, (draws, n, m))
    cells = [
        board_cell(make, name, values[draw, place, column], f"data {place}", seed=draw)
        for place in range(n)
        for draw in range(draws)
        for column, name in enumerate(names)
    ]
    cells += [board_cell(make, "dense", 0.9, f"data {place}") for place in range(n)]
    return board_run(make, cells, datasets=[f"data {place}" for place in range(n)])


@pytest.mark.nightly
def test_copies_tie_and_two_percent_less_are_found_on_simulated_leaderboards(make):
    tied = found = 0
    for seed in range(20):
        met = {one.other: one for one in meetings(list(tasks(leaderboard(make, seed))))["one"]}
        tied += met["copy"].verdict == "not told apart"
        found += met["worse"].verdict == "surely better"
    assert tied == 20
    assert found >= 18
