"""A worker is held to the time and the memory that the suite allows, and to no others."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from spcabench.run.executors.contract import Limits
from spcabench.run.executors.server import Server
from spcabench.run.executors.watch import GRACE, MOST_OUTPUT, TRACE, Phases, Watch, budgets
from spcabench.run.messages import OUTPUT, DrawTask, Entered, FitTask, Kill, Tracing
from spcabench.run.worker_result import add_line
from spcabench.specs import CARDINALITY

LIMITS = Limits(time=5.0, memory=1e6, draw=50.0, score=7.0)
FIT = FitTask(
    draw=Path("data"), estimator="m:M", params={}, knob=CARDINALITY, n_components=1, n_nonzero=1, random_state=0
)
TRACED = replace(FIT, tracing=Tracing(iterations="max_iter", tolerance="tol", budget=1.0, fits=2))
DRAW = DrawTask(dataset="d", load="m:d", params={}, preprocess="none", seed=0)


def late(*entered, now, task=TRACED):
    """Return why a worker is late that was ordered at 0 and entered phases, each with its time."""
    phases = Phases(budgets(task, LIMITS), 0.0)
    for phase, at in entered:
        phases.enter(phase, at)
    return phases.why_late(now)


TOGETHER = "its start, compilation and keeping the loadings together took longer than their limit of 600 s"


@pytest.mark.parametrize(
    ("phase", "limit", "reason"),
    [
        ("prepare", GRACE, f"before the fit: {TOGETHER}"),
        ("fit", 5.0, "the fit took longer than its limit of 5 s"),
        ("compile", GRACE - 60.0, f"compiling amid the fit: {TOGETHER}"),
        ("keep", GRACE - 60.0, f"after the fit: {TOGETHER}"),
        ("trace", 5.0 + TRACE, "tracing its convergence took longer than the limit of 65 s"),
        ("score", 7.0, "its metrics took longer than their limit of 7 s"),
    ],
)
def test_each_phase_has_seconds_of_its_own(phase, limit, reason):
    assert late((phase, 60.0 * (phase != "prepare")), now=60.0 * (phase != "prepare") + 0.9 * limit) == ""
    assert late((phase, 60.0 * (phase != "prepare")), now=60.0 * (phase != "prepare") + 1.1 * limit) == reason


def test_drawing_has_seconds_of_its_own():
    assert late(("draw", 1.0), now=50.9, task=DRAW) == ""
    assert late(("draw", 1.0), now=51.1, task=DRAW) == "drawing the data set took longer than its limit of 50 s"


def test_pauses_do_not_begin_the_fit_anew():
    again = [(phase, 1.0 + at) for at in range(4) for phase in ("fit", "compile")]
    assert late(*again, ("fit", 5.0), now=9.0) == ""
    assert late(("fit", 1.0), ("compile", 5.0), ("fit", 70.0), now=70.9) == ""
    assert late(("fit", 1.0), ("compile", 5.0), ("fit", 70.0), now=71.1) == "the fit took longer than its limit of 5 s"


def watch(folder, limits, **more):
    now = time.monotonic()
    return Watch(folder, limits, Phases(budgets(FIT, limits), now - 9.0), looked=now - 1.0, pid=os.getpid(), **more)


def test_a_fit_that_is_over_its_limit_is_a_timeout(tmp_path):
    add_line(tmp_path, Entered(phase="fit", at=time.monotonic() - 6.0))
    failure = watch(tmp_path, LIMITS).over_limit()
    assert (failure.status, failure.facts.time_limit) == ("timeout", 5.0)
    add_line(tmp_path, Entered(phase="keep", at=time.monotonic() - 2.0))
    assert watch(tmp_path, LIMITS).over_limit() is None


def test_of_a_long_output_the_end_is_kept(tmp_path):
    (tmp_path / OUTPUT).write_bytes(b"word " * (MOST_OUTPUT // 5 + 1))
    watched = watch(tmp_path, LIMITS)
    assert watched.over_limit() is None
    assert (tmp_path / OUTPUT).stat().st_blocks * 512 < MOST_OUTPUT / 100, "the disk of its start is free"
    with (tmp_path / OUTPUT).open("ab") as stream:
        stream.write(b"the last word")
    assert watched.output.endswith("word the last word")


@pytest.mark.parametrize(("share", "is_over"), [(0.3, True), (1.5, False)])
def test_memory_is_that_of_the_process_and_what_it_started(tmp_path, share, is_over):
    """The worker is this process; its limit is a share of what it has."""
    process = psutil.Process()
    has = sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]) / 2**30
    failure = watch(tmp_path, Limits(1e6, share * has)).over_limit()
    assert (failure is not None) == is_over
    if failure:
        assert failure.status == "out_of_memory"
        assert failure.reason == f"more than its limit of {share * has:g} GiB"


def test_a_fit_that_ends_while_it_is_being_ended_was_too_long_all_the_same(ran, monkeypatch):
    ask = Server.ask

    def late(self, request):
        if isinstance(request, Kill):
            time.sleep(1.0)  # the fit ends, and its metrics are computed
        ask(self, request)

    monkeypatch.setattr(Server, "ask", late)
    frame, _, _ = ran(methods=[{"name": "axes", "params": {"pause": 0.8}}], limits={"time": 0.5})
    assert list(frame["status"]) == ["timeout"]
