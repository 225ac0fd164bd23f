"""A worker is held to the time and the memory that the suite allows, and to no others."""

from __future__ import annotations

import time

import psutil
import pytest

from spcabench.run.executors.contract import Limits
from spcabench.run.executors.phases import GRACE, TRACE, Phases
from spcabench.run.executors.watch import Watch

LIMITS = Limits(time=5.0, memory=1e6, draw=50.0, score=7.0)


def late(*entered, now):
    """Return why a worker is late that was ordered at 0 and entered phases, each with its time."""
    phases = Phases(LIMITS, 0.0)
    for phase, at in entered:
        phases.enter(phase, at)
    return phases.why_late(now)


@pytest.mark.parametrize(
    ("phase", "limit", "reason"),
    [
        ("prepare", GRACE, "before the fit, the task took longer than the limit of 120 s"),
        ("draw", 50.0, "drawing the data set took longer than its limit of 50 s"),
        ("fit", 5.0, "the fit took longer than its limit of 5 s"),
        ("compile", GRACE, "compilation in the fit took longer than the limit of 120 s"),
        ("keep", GRACE, "keeping the loadings took longer than the limit of 120 s"),
        ("trace", 5.0 + TRACE, "tracing its convergence took longer than the limit of 65 s"),
        ("score", 7.0, "its metrics took longer than their limit of 7 s"),
    ],
)
def test_each_phase_has_seconds_of_its_own(phase, limit, reason):
    assert late((phase, 60.0 * (phase != "prepare")), now=60.0 * (phase != "prepare") + 0.9 * limit) == ""
    assert late((phase, 60.0 * (phase != "prepare")), now=60.0 * (phase != "prepare") + 1.1 * limit) == reason


def test_what_a_worker_says_of_itself_gains_it_no_more_than_the_sum_of_the_limits():
    again = [(phase, 1.0 + at) for at in range(4) for phase in ("fit", "compile")]
    assert late(*again, ("fit", 5.0), now=11.0), "pauses of no length begin the fit anew"
    renewed = [("fit", at) for at in (1.0, 3.0, 5.0)]
    assert late(*renewed, now=6.1)
    assert late(("fit", 1.0), ("score", 2.0), ("fit", 8.0), now=9.5).startswith("its metrics took")
    assert late(("fit", 1.0), ("score", -100.0), now=8.1), "a phase begins before the one before it"


def test_a_fit_that_is_over_its_limit_is_a_timeout(tmp_path):
    phases = Phases(LIMITS, time.monotonic() - 9.0)
    phases.enter("fit", time.monotonic() - 6.0)
    failure = Watch(tmp_path, LIMITS, phases, looked=time.monotonic()).over_limit()
    assert (failure.status, failure.facts.time_limit) == ("timeout", 5.0)


@pytest.mark.parametrize(("share", "is_over"), [(0.3, True), (1.5, False)])
def test_memory_is_that_of_the_process_and_what_it_started(tmp_path, share, is_over):
    """The worker is this process; its limit is a share of what it has."""
    process = psutil.Process()
    has = sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]) / 2**30
    limits, now = Limits(1e6, share * has), time.monotonic()
    failure = Watch(tmp_path, limits, Phases(limits, now), looked=now - 1.0, pid=process.pid).over_limit()
    assert (failure is not None) == is_over
    if failure:
        assert failure.status == "out_of_memory"
        assert failure.reason == f"more than its limit of {share * has:g} GiB"
