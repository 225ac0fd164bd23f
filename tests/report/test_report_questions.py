"""Questions of a leaderboard: which cells are compared, what a failure is, and what is averaged first."""

import math
from dataclasses import replace

import pytest
from boards import board_cell, board_run, of, ranks, track

from spcabench.report.questions import cells, questions
from spcabench.report.standings import standings_table, table

FAILURE = {"status": "timeout", "cpev": math.nan, "nnz": ()}


def values(found):
    return dict(zip(found.verdicts.contest.methods, found.verdicts.contest.means, strict=True))


def test_a_failure_or_a_missed_target_is_worse_than_any_value_and_removes_nothing(make):
    missed = {"missed_components": 1.0, "cpev": 0.9}
    plan = {
        "dense": 0.9,
        "low": 0.2,
        "top": 0.6,
        "lost": lambda a, _: FAILURE if a == "a" else missed if a == "b" else 0.7,
    }
    (found,) = of(board_run(make, plan))
    assert ranks(found) == pytest.approx({"low": 7 / 3, "top": 4 / 3, "lost": 7 / 3})
    assert values(found)["lost"] == pytest.approx((2 * 0.2 + 0.7) / 3)
    assert found.question.failures["lost"] == (2, 3)
    assert "dense" not in found.verdicts.contest.methods


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"status": "skipped", "reason": "it needs samples"}, "it needs samples"),
        ({"nnz": (6, 4, 2), "knob": "penalty"}, "it reaches its nonzeros only in total"),
        ({"n_nonzero": None, "knob": "penalty"}, "it does not take a number of nonzeros"),
    ],
)
def test_who_cannot_enter_says_why(make, changes, reason):
    (found,) = of(board_run(make, {"dense": 0.5, "low": 0.4, "top": 0.5, "out": {"cpev": 0.5, **changes}}))
    assert found.question.outside == {"out": reason}
    assert reason in table("", found).caption


def test_who_enters_some_sources_is_ranked_on_these_and_leads_nobody(make):
    plan = {"low": 0.2, "mid": 0.6, "some": lambda a, _: {"status": "skipped"} if a == "a" else 0.9}
    (found,) = of(board_run(make, plan))
    assert ranks(found) == pytest.approx({"low": 8 / 3, "mid": 5 / 3, "some": 1.0})
    assert found.verdicts.contest.methods[found.verdicts.leader] == "mid"


def test_a_data_set_with_open_cells_does_not_count_and_is_named(make):
    plan = {"low": 0.2, "mid": lambda a, _: {"status": "interrupted", "cpev": math.nan} if a == "a" else 0.6}
    (found,) = of(board_run(make, plan))
    assert len(found.verdicts.contest.sources) == 2
    assert found.question.waiting == ("a",)


def test_variants_of_a_source_are_averaged_first(make):
    entries = [{"name": "x", "label": label, "source": "one"} for label in "ab"] + [{"name": "y", "label": "c"}]
    plan = {"low": 0.2, "mid": lambda a, _: {"a": 0.1, "b": 0.5, "c": 0.3}[a]}
    (found,) = of(board_run(make, plan, entries=entries))
    assert found.verdicts.contest.sources == ("one", "y")
    assert values(found)["mid"] == pytest.approx(0.3)
    grid = board_run(make, {"low": 0.2, "mid": 0.3}, datasets=("a", "c(n=1)", "c(n=2)"))
    assert of(grid)[0].verdicts.contest.sources == ("a", "c")


def test_a_relative_value_is_what_it_lacks_of_the_best_on_the_same_draw(make):
    plan = {"dense": 0.99, "low": lambda _, seed: 0.2 + 0.2 * seed, "top": 0.8}
    (found,) = of(board_run(make, plan, seeds=2, tracks=[track(relative=True)]))
    assert values(found)["low"] == pytest.approx((0.2 / 0.8 + 0.4 / 0.8) / 2 - 1)
    assert found.value(values(found)["low"]).text == "62.5 %"


def test_the_targets_of_a_data_set_count_as_one(make):
    cells = [
        board_cell(make, name, value + k / 100, a, n_nonzero=k, key=f"{a}{name}{k}")
        for a in "abc"
        for k in (2, 10, 4)
        for name, value in (("low", 0.2), ("mid", 0.5))
    ]
    (found,) = of(make(cells, datasets=list("abc"), tracks=[track()]))
    assert len(found.verdicts.contest.sources) == 3
    assert values(found)["mid"] == pytest.approx(0.5 + 16 / 300)


def test_a_target_that_every_method_reaches_is_left_out(make):
    plan = {"low": lambda a, _: 0.5 if a == "a" else 0.2, "top": 0.5}
    (found,) = of(board_run(make, plan))
    assert (found.question.alike, len(found.verdicts.contest.sources)) == (1, 2)


def test_a_track_about_one_component_takes_no_other_cells(make):
    plan = {
        "low": lambda a, _: {"cpev": 0.2, "n_components": 1 if a == "a" else 3},
        "top": lambda a, _: {"cpev": 0.3, "n_components": 1 if a == "a" else 3},
    }
    one, span = of(board_run(make, plan, tracks=[track("one"), track("span")]))
    assert (one.verdicts.contest.sources, len(span.verdicts.contest.sources)) == (("a",), 2)


def timed(seconds, n=5, **more):
    return {"cpu_time": seconds, "cpu_times": (seconds,) * n, "fit_time": seconds, **more}


def test_times_are_ratios_to_the_dense_method_and_few_or_disturbed_ones_do_not_count(make):
    plan = {
        "dense": timed(0.1),
        "slow": timed(0.4),
        "quick": timed(0.05),
        "few": timed(0.01, 4),
        "busy": timed(0.01, contended=True),
    }
    (found,) = of(board_run(make, plan, tracks=[track("cost", "fit_time")]))
    assert found.verdicts.contest.methods == ("slow", "quick")
    assert found.value(values(found)["slow"]).text == "4 ×"
    assert found.question.outside == dict.fromkeys(("few", "busy"), "cpu_ratio is not known of it")


def test_no_other_dense_method_stands_in_for_one_that_was_disturbed(make):
    other = {"knob": "none", "n_nonzero": None, **timed(1.0)}
    plan = {"dense": lambda data, _: timed(0.1, contended=data == "b"), "pca_l1": other, "slow": timed(0.4)}
    (found,) = of(board_run(make, {**plan, "quick": timed(0.05)}, tracks=[track("cost", "fit_time")]))
    assert found.value(values(found)["slow"]).text == "4 ×"


def test_a_question_of_two_runs_is_one(make, tmp_path):
    first = board_run(make, {"low": 0.2, "top": 0.5}, datasets=("a", "b"))
    second = board_run(type(make)(tmp_path / "second"), {"low": 0.2, "top": 0.5}, datasets=("c",))
    (found,) = questions([first, second])
    assert found.contest.sources == ("a", "b", "c")


def test_published_rows_are_told_from_the_default(make):
    results = board_run(make, {"pca": 0.2, "pca as published": 0.3})
    entry = results.suite.methods[0].model_copy(update={"label": "pca as published", "published": True})
    results.suite.methods.append(entry)
    assert cells(results).groupby("method")["published"].first().to_dict() == {"pca": False, "pca as published": True}
    assert {row[0].value: row[1].value for row in table("", of(results)[0]).rows} == {
        "pca": "default",
        "pca as published": "published",
    }


def test_the_report_has_the_standings_of_each_track_or_over_all_entries(make):
    values = {"a1": 0.2, "a2": 0.3, "a3": 0.4}
    results = board_run(make, values)
    shown = standings_table(results, "span")
    assert [row[0].value for row in shown.rows] == ["a3", "a2", "a1"]
    assert "3 sources cannot tell any two of 3 methods apart; 7 would do." in shown.caption
    assert standings_table(results) is None
    assert standings_table(results, "recovery") is None
    assert standings_table(board_run(make, {"a1": 0.2, "a2": 0.3}), "span") is None
    without = replace(results, suite=results.suite.model_copy(update={"tracks": []}))
    assert [row[0].value for row in standings_table(without).rows] == ["a3", "a2", "a1"]
