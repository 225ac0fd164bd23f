"""Scores of the leaderboard worked out by hand: controls, failures, limits, intervals; and who can move them."""

import math
from dataclasses import replace

import pandas as pd
import pytest
from boards import board_run, of, row, score, three, track

from spcabench.analysis.intervals import bootstrap_interval, mean_interval
from spcabench.report.tasks import by_chance
from spcabench.site.scores import points_of
from spcabench.specs import MetricSpec

F1 = MetricSpec(
    name="f1",
    compute="spcabench.metrics.support:f1",
    range=(0.0, 1.0),
    better="higher",
    requires=frozenset({"supports"}),
)


def lose(results, method, dataset=None, seed=None, status="error"):
    """Let cells of a method fail."""
    frame = results.frame
    cells = frame["method"] == method
    cells &= (frame["dataset"] == dataset) if dataset else True
    cells &= (frame["seed"] == seed) if seed is not None else True
    frame.loc[cells, "status"] = status
    frame.loc[cells, "cpev"] = math.nan
    return results


def test_thresholding_counts_with_the_best_loadings_on_its_support(make):
    values = {"dense": (0.9, 0.9), "low": (0.2, 0.3), "mid": (0.6, 0.6)}
    cells = {name: {"cpev": value, "cpev_refitted": refitted} for name, (value, refitted) in values.items()}
    results = board_run(make, cells)
    assert [score(results, name) for name in ("low", "mid")] == pytest.approx([-10 / 0.6, 50])
    plain = three(make, dense=0.9, low=0.2, mid=0.6)
    assert [score(plain, name) for name in ("low", "mid", "dense")] == pytest.approx([0, 400 / 7, 100])


def test_supports_are_scored_from_random_ones_matched_alike_to_the_best_value(make):
    make.draw("draw0", n_features=2, supports=[[0], [1]])
    values = {"dense": (0.6, None), "low": (0.75, 1), "mid": (0.9, 1)}
    cells = {name: {"f1": value, "n_nonzero": k} for name, (value, k) in values.items()}
    results = board_run(make, cells, tracks=[track("recovery", "f1")], n_components=2)
    results = replace(results, metrics={**results.metrics, "f1": F1})
    group = next(group for group in results.groups if group.method == "low")
    chance = by_chance(results, results.column("f1"), group)
    assert chance == pytest.approx(0.75, abs=0.05)  # both right as often as one; not matched it would be 0.5
    assert score(results, "mid", "recovery") == pytest.approx(100 * (0.9 - chance) / (1 - chance))
    make.draw("draw0", n_features=2, supports=[])
    assert row(results, "mid").scores == {}


def test_a_failure_has_minus_a_hundred_points_whatever_others_reach(make):
    values = {"dense": 0.9, "low": 0.2, "mid": 0.6, "worst": 0.1}
    for status in ("error", "timeout"):
        results = lose(board_run(make, values, seeds=2), "mid", seed=1, status=status)
        assert score(results, "mid") == pytest.approx((400 / 7 - 100) / 2)
    assert (row(results, "mid").costs.failed, row(results, "mid").costs.planned) == (3, 6)
    assert score(lose(board_run(make, values), "mid"), "mid") == -100
    missed = board_run(make, values, seeds=2)
    missed.frame.loc[(missed.frame["method"] == "mid") & (missed.frame["seed"] == 1), "missed_components"] = 1.0
    assert score(missed, "mid") == pytest.approx((400 / 7 - 100) / 2)


def test_no_data_set_decides_a_score(make):
    values = {"dense": lambda dataset, _: 0.3 if dataset == "a" else 1.0, "low": 0.2, "mid": 0.6}
    found = row(board_run(make, values), "mid").scores["span"]
    assert found.value == pytest.approx((120 + 50 + 50) / 3)
    zero = pd.Series([0.2, 0.2])
    assert points_of(pd.Series([0.0, 0.0]), zero, 0.1) == -100
    assert points_of(pd.Series([0.6, math.nan]), zero, 0.1) == 10  # a failure is beside what is held


def test_a_data_set_on_which_the_controls_agree_is_scored_for_nobody(make):
    close = {"dense": 0.209, "low": 0.2, "mid": 0.1}
    usual = {"dense": 0.9, "low": 0.2, "mid": 0.55}
    values = {name: lambda dataset, seed, name=name: (close if dataset == "a" else usual)[name] for name in usual}
    results = board_run(make, values)
    cpev = replace(results.metrics["cpev"], margin=0.001)
    results = replace(results, metrics={**results.metrics, "cpev": cpev})
    found = row(results, "mid").scores["span"]
    assert (found.value, found.n, found.of, found.whole) == (pytest.approx(50), 2, 2, True)
    assert of(results).scales["span"].left_out == ("a",)


def test_controls_that_differ_by_chance_alone_score_nobody(make):
    noise = (0.30, -0.10, 0.25, -0.05)
    values = {"dense": lambda dataset, seed: 0.2 + (noise[seed] if dataset == "a" else 0.5), "low": 0.2, "mid": 0.3}
    found = row(board_run(make, values, seeds=4), "mid").scores["span"]
    assert (found.value, found.n, found.of) == (pytest.approx(20), 2, 2)


def test_the_interval_is_students_and_by_families_where_data_sets_are_variants_of_one(make):
    places = dict(zip("abcd", (0.3, 0.5, 0.6, 0.7), strict=True))
    values = {"dense": 0.9, "low": 0.2, "mid": lambda dataset, _: places[dataset]}
    points = [100 * (at - 0.2) / 0.7 for at in places.values()]
    found = row(board_run(make, values, datasets=tuple("abcd")), "mid").scores["span"].interval
    assert (found.low, found.high) == pytest.approx((mean_interval(points).low, mean_interval(points).high))
    variants = ("a", "b", "c(n=1)", "c(n=2)")
    values["mid"] = lambda dataset, _: dict(zip(variants, places.values(), strict=True))[dataset]
    results = board_run(make, values, datasets=variants, tracks=[track(datasets="abc")])
    found = row(results, "mid").scores["span"].interval
    expected = bootstrap_interval(points, ["a", "b", "c", "c"])
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_the_best_known_value_has_points_beside_the_controls(make):
    results = board_run(make, {"dense": 0.9, "low": 0.2, "one": lambda _, seed: 0.4 + 0.3 * seed, "two": 0.55}, seeds=2)
    assert of(results).scales["span"].best == pytest.approx(100 * ((0.55 + 0.7) / 2 - 0.2) / 0.7)


def test_a_new_method_moves_no_score_and_no_rank(make):
    values = {"dense": 0.9, "low": 0.2, **{f"m{n}": 0.3 + 0.02 * n for n in range(9)}}
    before = of(lose(board_run(make, values, seeds=2), "m3", seed=1))
    after = of(lose(board_run(make, {**values, "best": 0.95, "worst": 0.0}, seeds=2), "m3", seed=1))
    assert before.controls.panel == after.controls.panel == ("low", *(f"m{n}" for n in range(9)))
    new = {one.method: one for one in after.rows}
    for one in before.rows:
        assert new[one.method].scores == one.scores
        assert new[one.method].rank == one.rank
    assert new["best"].rank.value == 1
    assert new["worst"].rank.value == 10  # m3 failed
    assert new["low"].rank.value == 9.5  # below eight of the panel, and a tie with itself


def test_a_copy_of_a_method_of_the_panel_has_its_rank_and_who_has_no_result_is_last(make):
    ranks = {
        one.method: one.rank.value for one in of(three(make, dense=0.9, low=0.2, mid=0.6, copy=0.6)).rows if one.rank
    }
    assert ranks["copy"] == ranks["mid"]
    lost = of(lose(three(make, dense=0.9, low=0.2, mid=0.6), "mid"))
    assert [(one.method, one.rank.value) for one in lost.rows if one.rank] == [("low", 1.5), ("mid", 2.5)]


def test_a_data_set_in_two_tracks_counts_once(make):
    values = {"dense": (0.9, 1), "low": (0.2, 1), "mid": (0.6, 3)}
    cells = {name: {"cpev": value, "err": err} for name, (value, err) in values.items()}
    results = board_run(make, cells, tracks=[track(), track("prediction", "err", ["a"])])
    # of the panel, low and mid: a tie with itself, and with low on the data set of the track prediction or below it
    assert row(results, "mid").rank.value == pytest.approx(((1.5 + 2.5) / 2 + 1.5 + 1.5) / 3)
    assert row(results, "mid").rank.of == 3


def test_the_front_of_a_track_has_whom_nobody_beats_in_score_and_time(make):
    plan = {"dense": (0.9, 1.0), "low": (0.2, 0.5), "slow": (0.7, 9.0), "mid": (0.6, 2.0), "beaten": (0.6, 3.0)}
    errors = {"beaten": -0.6, "dense": -1.0}
    cells = {
        name: {"cpev": value, "total_time": seconds, "err": errors.get(name, 1.0)}
        for name, (value, seconds) in plan.items()
    }
    results = board_run(make, cells, tracks=[track(), track("prediction", "err")])
    fronts = {one.method: one.front for one in of(results).rows if one.front}
    both = ("span", "prediction")
    assert fronts == {"low": both, "slow": both[:1], "mid": both[:1], "beaten": both[1:]}
    assert row(results, "slow").costs.ratio == pytest.approx(9)


def test_a_failed_draw_makes_the_value_the_median_and_half_of_them_a_failure(make):
    values = {"dense": 0.9, "low": 0.2, "mid": lambda _, seed: 0.3 + 0.2 * seed}
    (task,) = of(lose(board_run(make, values, seeds=3, datasets=("a",)), "mid", seed=0)).tasks
    assert task.values["mid"] == pytest.approx(0.5)  # of failure, 0.5, 0.7
    (task,) = of(lose(board_run(make, values, seeds=4, datasets=("a",)), "mid", seed=0)).tasks
    assert task.values["mid"] == pytest.approx(0.6)
    results = lose(board_run(make, values, seeds=2, datasets=("a",)), "mid", seed=0)
    (task,) = of(results).tasks
    assert math.isnan(task.values["mid"])


def test_seconds_are_scored_by_their_ratio_to_the_dense_control(make):
    factors = {"a": 1, "b": 10, "c": 100}
    cells = {
        name: lambda dataset, _, seconds=seconds: {"fit_time": seconds * factors[dataset]}
        for name, seconds in (("dense", 0.01), ("low", 0.02), ("quick", 0.005), ("slow", 1.0))
    }
    results = board_run(make, cells, tracks=[track("cost", "fit_time")])
    twice = 25 * math.log10(2)
    found = [score(results, name, "cost") for name in ("low", "quick", "slow")]
    assert found == pytest.approx([50 - twice, 50 + twice, 0], abs=1e-9)
    assert row(results, "quick").rank is None  # seconds do not count
    late = board_run(make, cells, tracks=[track("cost", "fit_time")])
    late.frame.loc[(late.frame["method"] == "low") & (late.frame["dataset"] == "a"), "status"] = "timeout"
    assert score(late, "low", "cost") == pytest.approx((2 * (50 - twice) - 100) / 3)
