"""What a worker leaves is data from a stranger: it is a result of its task, or it says what is wrong with it."""

from __future__ import annotations

import math
import os
from dataclasses import replace

import pytest
from test_messages import DRAW, FACTS, FIT, SCORE, SUMMARY, TIMING

from spcabench.run import left
from spcabench.run.left import left_in
from spcabench.run.messages import (
    RESULT,
    RESULTS,
    SCORED,
    DrawResult,
    Failure,
    FitResult,
    Scored,
    ScoreResult,
    Scores,
)
from spcabench.store.record import Facts, Timing

FITTED = FitResult(status="ok", facts=FACTS, timing=TIMING)
NO_RESULT = "the worker left what is no result: "


@pytest.fixture
def leave(tmp_path):
    """Leave a text, or a result and what followed; return what it is taken for."""

    def go(first, *parts, task=FIT, end="the process was ended by SIGKILL"):
        if not isinstance(first, bytes):
            first = b"".join(text + b"\n" for text in (RESULTS.dumps(first), *map(SCORED.dumps, parts)))
        (tmp_path / RESULT).write_bytes(first)
        return left_in(tmp_path, task, end)

    return go


@pytest.mark.parametrize(
    ("task", "result"),
    [
        (DRAW, DrawResult(data=SUMMARY)),
        (FIT, FITTED),
        (SCORE, ScoreResult(scores=Scores(values={"cpev": 0.5, "ratio": math.inf}, errors={"nor": "no"}))),
        (FIT, Failure(status="invalid", reason="too\nlong", facts=Facts(), timing=TIMING)),
    ],
    ids=["draw", "fit", "score", "failure"],
)
def test_a_result_arrives_as_it_was(leave, task, result):
    assert leave(result, task=task) == result


def test_nothing_is_left_where_there_is_no_file(tmp_path):
    assert left_in(tmp_path, FIT, "") is None
    assert left_in(tmp_path / "none", FIT, "") is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"[1]", "Input should be an object"),
        (b"[" * 100_000, "no JSON"),
        (b"", "no JSON"),
        (b'{"kind": "fai', "no JSON"),
        (b"\0\0\0", "no JSON"),
        (b'{"kind": "score", "scores": {"values": {"cpev": "high"}}}', "scores.values.cpev"),
        (b'{"kind": "failure", "status": "ok", "reason": ""}', "failure.status"),
        (RESULTS.dumps(ScoreResult()), "the result of a score"),
        (RESULTS.dumps(Failure(status="interrupted", reason="")), "a failure of status interrupted"),
    ],
)
def test_what_is_no_result_of_the_task_is_a_crash_that_says_why(leave, text, reason):
    result = leave(text)
    assert result.status == "crashed"
    assert result.reason.startswith(NO_RESULT)
    assert reason in result.reason


def test_only_a_regular_file_of_bounded_size_is_read(tmp_path, leave, monkeypatch):
    os.mkfifo(tmp_path / RESULT)
    assert left_in(tmp_path, FIT, "").reason == NO_RESULT + "it is no regular file"
    os.unlink(tmp_path / RESULT)
    (tmp_path / RESULT).symlink_to("/dev/zero")
    assert "it is a link" in left_in(tmp_path, FIT, "").reason
    os.unlink(tmp_path / RESULT)
    monkeypatch.setattr(left, "MOST_BYTES", 100)
    assert "valid is up to 100" in leave(FITTED).reason


@pytest.mark.parametrize(
    ("name", "samples", "reason"),
    [
        ("fit_time", (math.nan,), "fit_time is nan"),
        ("fit_time", (-1e6,), "fit_time is -1e+06"),
        ("cpu_time", (math.inf,), "cpu_time is inf"),
        ("search_time", (-0.5,), "search_time is -0.5"),
        ("n_fits", (math.nan,), "n_fits is nan"),
        ("peak_memory", (-1.0,), "peak_memory is -1"),
        ("fit_time", (), "fit_time has 0 values"),
        ("cpu_time", (1.0, 2.0), "cpu_time has 2 values"),
    ],
)
def test_a_clock_that_cannot_be_right_makes_a_fit_invalid(leave, name, samples, reason):
    result = leave(replace(FITTED, timing=replace(TIMING, **{name: samples})))
    assert (result.status, result.reason) == ("invalid", f"its clock cannot be right: {reason}")


def test_a_failure_whose_clock_cannot_be_right_has_no_times(leave):
    failure = Failure(status="error", reason="no", timing=Timing(fit_time=(math.nan,)))
    assert leave(failure) == Failure(status="error", reason="no")


def test_texts_are_bounded(leave):
    long = "word " * 10_000
    facts = Facts(warnings=(long,) * 100, traceback=(long,) * 100)
    assert len(RESULTS.dumps(leave(Failure(status="error", reason=long, facts=facts)))) < 200_000
    scores = Scores(values={}, errors={"cpev": long})
    assert len(RESULTS.dumps(leave(replace(FITTED, facts=facts, reason=long, scores=scores)))) < 200_000


AWAITED = replace(FITTED, awaited=("cpev", "nor", "err", "ratio"))


def test_metrics_that_follow_a_fit_are_its_own(leave):
    came = [Scored(name="cpev", values={"cpev": 0.5}), Scored(name="nor", error="ZeroDivisionError: no")]
    more = [Scored(name="err", values={"err@1": 1.0, "err@2": math.nan}), Scored(name="other", values={"other": 1.0})]
    scores = leave(AWAITED, *came, *more, Scored(name="ratio")).scores
    assert scores.errors == {"nor": "ZeroDivisionError: no"}
    assert scores.values.keys() == {"cpev", "err@1", "err@2"}


def test_a_fit_is_kept_when_a_metric_ends_its_process(leave):
    result = leave(AWAITED, Scored(name="cpev", values={"cpev": 0.5}))
    assert (result.status, result.facts, result.awaited) == ("ok", FACTS, ())
    assert result.scores.values == {"cpev": 0.5}
    assert result.scores.errors == {
        "nor": "the process was ended by SIGKILL",
        "err": "not computed, since nor ended its process",
        "ratio": "not computed, since nor ended its process",
    }


def test_a_metric_cut_short_is_none(leave):
    whole = RESULTS.dumps(AWAITED) + b"\n" + SCORED.dumps(Scored(name="cpev", values={"cpev": 0.5}))
    assert leave(whole).scores.errors["cpev"] == "the process was ended by SIGKILL"
    assert leave(whole + b"\n").scores.values == {"cpev": 0.5}
