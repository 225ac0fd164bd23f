"""A worker is held to the time and the memory that the suite allows, and to no others."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from spcabench.run.executors.contract import Limits
from spcabench.run.executors.phases import GRACE, TRACE, Phases, budgets
from spcabench.run.executors.server import Server
from spcabench.run.executors.watch import Watch
from spcabench.run.messages import PHASES, DrawTask, FitTask, Kill, Tracing
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


TOGETHER = "its start, compilation and keeping the loadings together took longer than their limit of 180 s"


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


@pytest.mark.parametrize("seed", range(20))
def test_whatever_a_worker_says_it_ends_after_the_sum_of_its_budgets(seed):
    moments = random.Random(seed)
    for task, every in [(FIT, GRACE + 5.0 + 7.0), (TRACED, GRACE + 5.0 + 5.0 + TRACE + 7.0), (DRAW, GRACE + 50.0)]:
        forged = [(moments.choice(PHASES), at) for at in sorted(moments.uniform(0.0, every) for _ in range(1000))]
        assert late(*forged, now=every + 0.1, task=task)


def test_what_a_worker_says_of_itself_gains_it_no_more_than_the_sum_of_the_limits():
    again = [(phase, 1.0 + at) for at in range(4) for phase in ("fit", "compile")]
    assert late(*again, ("fit", 5.0), now=11.0), "pauses of no length begin the fit anew"
    renewed = [("fit", at) for at in (1.0, 3.0, 5.0)]
    assert late(*renewed, now=6.1)
    assert late(("fit", 1.0), ("score", 2.0), ("fit", 8.0), now=9.5).startswith("its metrics took")
    assert late(("fit", 1.0), ("score", -100.0), now=8.1), "a phase begins before the one before it"


def test_a_fit_that_is_over_its_limit_is_a_timeout(tmp_path):
    phases = Phases(budgets(FIT, LIMITS), time.monotonic() - 9.0)
    phases.enter("fit", time.monotonic() - 6.0)
    failure = Watch(tmp_path, LIMITS, phases, looked=time.monotonic()).over_limit()
    assert (failure.status, failure.facts.time_limit) == ("timeout", 5.0)


@pytest.mark.parametrize(("share", "is_over"), [(0.3, True), (1.5, False)])
def test_memory_is_that_of_the_process_and_what_it_started(tmp_path, share, is_over):
    """The worker is this process; its limit is a share of what it has."""
    process = psutil.Process()
    has = sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]) / 2**30
    limits, now = Limits(1e6, share * has), time.monotonic()
    failure = Watch(tmp_path, limits, Phases({"prepare": 60.0}, now), looked=now - 1.0, pid=process.pid).over_limit()
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
