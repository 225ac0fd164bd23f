"""A cell is fitted again until its median time is known well enough, or enough time was spent on it."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
import yaml
from odd_suite import ODD

from spcabench.analysis.times import spread
from spcabench.plugins import load_registry
from spcabench.run.messages import Result
from spcabench.suite.load import load_suite, resolved_yaml
from spcabench.suite.models import TIMED, Repeats

RULE = Repeats(at_least=3, at_most=10, spread=0.05, budget=60.0)


def test_the_spread_is_that_of_the_median_and_outliers_do_not_touch_it():
    times = np.linspace(0.9, 1.1, 41)
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75])
    assert spread(times.tolist()) == pytest.approx((1.82 + 5 / 40) * (high - low) / math.sqrt(41) / middle)
    assert spread([*times[:-1].tolist(), 100.0]) == pytest.approx(spread(times.tolist()))
    assert spread([1.0]) == math.inf
    assert spread([2.0] * 3) == 0.0


def held(rule, sd, runs=400):
    """Simulate a cell of lognormal times; give how often its interval held the true median, 1."""
    draws = np.exp(sd * np.random.default_rng(0).standard_normal((runs, rule.at_most)))
    held = 0
    for times in draws.tolist():
        n = next(n for n in range(1, rule.at_most + 1) if not rule.wants_more(times[:n]))
        half_width = spread(times[:n]) * np.median(times[:n])
        held += abs(1 - np.median(times[:n])) <= half_width
    return held / runs


@pytest.mark.parametrize(("sd", "share"), [(0.03, 0.92), (0.05, 0.91), (0.1, 0.88)])
def test_the_interval_at_which_the_rule_stops_holds_the_median_as_often_as_said(sd, share):
    assert held(Repeats(), sd) >= share


@pytest.mark.parametrize(
    ("times", "more"),
    [
        ([], True),
        ([1.0, 1.0], True),
        ([1.0, 1.0, 1.0], False),
        ([1.0, 2.0, 3.0], True),
        ([1.0, 2.0] * 5, False),
        ([20.0, 30.0, 40.0], False),
        ([50.0, 60.0], False),
        ([50.0], True),
    ],
)
def test_enough_is_a_known_median_or_many_fits_or_a_spent_budget(times, more):
    assert RULE.wants_more(times) == more


@pytest.mark.parametrize(
    ("metrics", "repeats"),
    [(["cpev", "fit_time"], TIMED), (["total_time"], TIMED), (["cpev", "search_time"], 1)],
)
def test_by_default_a_suite_that_ranks_times_repeats_fits(suite_file, metrics, repeats):
    def loaded(file):
        return load_suite(str(file), load_registry([ODD])).suite

    suite = loaded(suite_file(metrics=metrics))
    assert suite.settled_repeats == repeats
    assert loaded(suite_file(metrics=metrics, repeats=3)).clock.at_most == 3
    kept = yaml.safe_load(resolved_yaml(suite))["repeats"]
    assert kept == repeats, "the default is written out"


def test_a_number_of_repeats_has_no_budget(suite_file):
    suite = load_suite(str(suite_file(repeats=3)), load_registry([ODD])).suite
    assert suite.clock.wants_more([500.0, 500.0])


@pytest.fixture
def noisy(monkeypatch):
    """Let the times of ``warns`` vary, and those of ``axes`` not."""
    turn = itertools.count()

    def wrong(take):
        def changed(before, outcome, *rest):
            method = before.cell["method_name"]
            time = 1.0 if method == "axes" else 1.0 + next(turn) % 2
            timing = dataclasses.replace(outcome.result.timing, fit_time=(time,))
            result = dataclasses.replace(outcome.result, timing=timing)
            return take(before, dataclasses.replace(outcome, result=result), *rest)

        return changed

    from spcabench.run import host

    for name in ("fitted_record", "timed_record"):
        monkeypatch.setattr(host, name, wrong(getattr(host, name)))


def test_repeats_go_where_the_times_vary(here, noisy):
    rule = {"at_least": 3, "at_most": 7, "spread": 0.01, "budget": 1000.0}
    frame, folder, events = here(methods=["axes", "warns"], repeats=rule)
    kept = frame.set_index("method")
    assert kept.repeats.to_dict() == {"axes": 3, "warns": 7}
    assert kept.time_spread["axes"] == 0.0
    assert kept.time_spread["warns"] > 0.01
    told = [event for event in events if event.record]
    assert [(event.done, event.total) for event in told][:2] == [(1, 6), (2, 6)]
    assert (told[-1].done, told[-1].total) == (10, 10)
    assert all(event.done <= event.total for event in told)
    assert [event.record.cell["method"] for event in told[:6]] == ["axes", "warns"] * 3, "repeats are interleaved"
    tabulated = here(methods=["axes", "warns"], repeats=rule)[2]
    assert "2 of 2 cells are done already" in tabulated[0].text
    assert folder.record(kept.key["warns"]).timing.fit_time.count(2.0) >= 3


def test_a_budget_ends_the_repeats_of_a_cell(here, noisy):
    rule = {"at_least": 2, "at_most": 50, "spread": 0.001, "budget": 6.0}
    frame, folder, _ = here(methods=["warns"], repeats=rule)
    times = folder.record(frame.key[0]).timing.fit_time
    assert sum(times[:-1]) < 6.0 <= sum(times)


def test_a_changed_rule_goes_on_from_the_times_on_record(here, noisy):
    first, folder, _ = here(methods=["warns"], repeats=2)
    rule = {"at_least": 3, "at_most": 5, "spread": 0.001, "budget": 100.0}
    second, _, events = here(methods=["warns"], repeats=rule)
    assert first.key[0] == second.key[0], "the key does not depend on the repeats"
    assert second.repeats[0] == 5
    assert [(event.done, event.total) for event in events if event.record] == [(1, 2), (2, 3), (3, 3)]
    assert (folder.path / "suite.yaml").read_text().count("at_most: 5") == 1


def test_cells_that_are_behind_catch_up_before_the_others_go_on(here):
    here(methods=["axes"], repeats=3)
    events = here(methods=["axes", "warns"], repeats=4)[2]
    order = [event.record.cell["method"] for event in events if event.record]
    assert order == ["warns", "warns", "warns", "axes", "warns"]


def test_a_repeat_that_fails_leaves_the_record_and_ends_the_repeats(here, monkeypatch):
    from spcabench.run import host

    take = host.timed_record

    def failing(before, outcome, *rest):
        late = dataclasses.replace(outcome, result=Result(status="timeout", reason="too long"))
        return take(before, late, *rest)

    monkeypatch.setattr(host, "timed_record", failing)
    frame, folder, events = here(repeats=4)
    record = folder.record(frame.key[0])
    assert (record.status, len(record.timing.fit_time)) == ("ok", 1)
    assert record.fit.failed_repeat == "timeout: too long"
    assert "a repeat failed (timeout: too long)" in events[-1].text
    assert "1 of 1 cells are done already" in here(repeats=4)[2][0].text


def test_a_method_that_is_not_the_same_with_the_same_seed_is_marked(here):
    frame, folder, events = here(methods=["drifts", "draws_globally"], repeats=3)
    varies = {record.cell["method"]: record.fit.varies for record in folder.records()}
    assert varies == {"drifts": True, "draws_globally": False}
    assert [event.text for event in events if "other loadings in a repeat with the same seed" in event.text]
    assert frame.set_index("method").note.to_dict() == {
        "drifts": "other loadings in a repeat with the same seed",
        "draws_globally": "",
    }
