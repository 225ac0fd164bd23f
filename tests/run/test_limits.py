"""A worker is held to the time and the memory that the suite allows, and to no others."""

from __future__ import annotations

import os
import time

import psutil
import pytest

from spcabench.run.executors.contract import Limits
from spcabench.run.executors.watch import GRACE, Watch
from spcabench.run.messages import BEGIN, END

LIMIT = 5.0


def watched(folder, ordered, limits, pid=0):
    """Watch a worker that was ordered so many seconds ago."""
    started = time.monotonic() - ordered
    return Watch(folder, limits, started=started, looked=started, pid=pid)


def mark(folder, name, ago):
    """Leave a mark as if so many seconds ago."""
    (folder / name).touch()
    os.utime(folder / name, (time.time() - ago,) * 2)


@pytest.mark.parametrize(("fitted", "is_over"), [(0.8 * LIMIT, False), (1.2 * LIMIT, True)])
def test_the_time_of_a_fit_counts_from_its_begin(tmp_path, fitted, is_over):
    mark(tmp_path, BEGIN, fitted)
    failure = watched(tmp_path, fitted + 60.0, Limits(LIMIT, 1e6)).over_limit()
    assert (failure is not None) == is_over
    if failure:
        assert (failure.status, failure.facts.time_limit) == ("timeout", LIMIT)
        assert failure.reason == "the fit took longer than its limit of 5 s"


@pytest.mark.parametrize(("ago", "is_over"), [(LIMIT + 0.8 * GRACE, False), (LIMIT + 1.2 * GRACE, True)])
@pytest.mark.parametrize("fitted", [False, True])
def test_what_comes_before_and_after_a_fit_has_time_of_grace(tmp_path, ago, is_over, fitted):
    if fitted:
        mark(tmp_path, BEGIN, ago)
        mark(tmp_path, END, ago - 0.1)
    assert (watched(tmp_path, ago, Limits(LIMIT, 1e6)).over_limit() is not None) == is_over


@pytest.mark.parametrize(("share", "is_over"), [(0.8, True), (1.5, False)])
def test_memory_is_that_of_the_process_and_what_it_started(tmp_path, share, is_over):
    """The worker is this process; its limit is a share of what it has."""
    process = psutil.Process()
    has = sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]) / 2**30
    failure = watched(tmp_path, 1.0, Limits(1e6, share * has), pid=process.pid).over_limit()
    assert (failure is not None) == is_over
    if failure:
        assert failure.status == "out_of_memory"
        assert failure.reason == f"more than its limit of {share * has:g} GiB"
