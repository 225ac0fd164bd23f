"""How long a Dask worker may have a cell: seconds in which it does nothing, as the scheduler's word has it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from spcabench.run.executors import dask_fleet
from spcabench.run.executors.contract import Limits
from spcabench.run.executors.dask_fleet import GRACE, LOOK_EVERY, MOST_BETWEEN, SILENT, Fleet, Sent
from spcabench.run.executors.phases import budgets
from spcabench.run.messages import ScoreTask
from spcabench.store.record import Facts, Timing

TASK = ScoreTask(draw=Path("data"), loadings=Path("loadings"), facts=Facts(), timing=Timing(), metrics=())
LIMITS = Limits(time=5.0, memory=1.0, score=7.0)
SECONDS = sum(budgets(TASK, LIMITS).values()) + GRACE


class World:
    """A scheduler, its clock, and a fleet that asks it; every worker reports to it until it is stopped."""

    def __init__(self, *workers):
        self.seen, self.held, self.time = dict.fromkeys(workers, 0.0), {}, 0.0
        self.stopped = set()
        self.fleet = Fleet(SimpleNamespace(scheduler_info=self.info, processing=lambda: self.held))
        self.cell = Sent("cell", TASK, LIMITS, 0.0)

    def info(self, n_workers):
        assert n_workers == -1, "all of them"
        self.seen |= {name: self.time for name in self.seen if name not in self.stopped}
        return {"workers": {name: {"nthreads": 1, "last_seen": seen} for name, seen in self.seen.items()}}

    def late_after(self, seconds, each=LOOK_EVERY):
        """Look for so many seconds; return whether the cell is late then."""
        until = self.time + seconds
        while self.time < until:
            self.time += each
            self.fleet.look()
            late = self.fleet.is_late("key", self.cell)
        return late


@pytest.fixture
def world(monkeypatch):
    world = World("a", "b")
    monkeypatch.setattr(dask_fleet.time, "monotonic", lambda: world.time)
    return world


@pytest.mark.parametrize("holder", ["a", ""])
def test_a_cell_is_late_when_its_holder_did_nothing_for_as_long_as_it_may_take(world, holder):
    world.held = {holder: ["key"]} if holder else {}
    assert not world.late_after(SECONDS - 2 * LOOK_EVERY)
    assert world.late_after(5 * LOOK_EVERY)


def test_what_the_holder_does_counts_and_what_others_do_does_not(world):
    world.held = {"a": ["key"]}
    assert not world.late_after(SECONDS / 2)
    world.fleet.delivered("b")
    assert world.late_after(0.6 * SECONDS)
    world.fleet.delivered("a")
    assert not world.late_after(0.9 * SECONDS)
    assert world.late_after(0.2 * SECONDS)


def test_the_time_begins_anew_with_another_holder_and_with_the_first_worker(world):
    world.held = {"a": ["key"]}
    assert not world.late_after(0.9 * SECONDS)
    world.held = {"b": ["key"]}
    assert not world.late_after(0.9 * SECONDS)
    nobody, world.seen, world.held = world.seen, {}, {}
    assert not world.late_after(2 * SECONDS), "there is no Dask worker yet"
    world.seen = nobody
    assert not world.late_after(0.9 * SECONDS)
    assert world.late_after(0.2 * SECONDS)


def test_time_in_which_the_host_itself_was_stopped_does_not_count(world):
    world.held = {"a": ["key"]}
    assert not world.late_after(LOOK_EVERY)
    assert not world.late_after(10 * SECONDS, each=10 * SECONDS)
    assert world.fleet.now < 3 * MOST_BETWEEN


def test_a_worker_that_is_silent_is_not_among_those_that_are_heard(world):
    world.late_after(LOOK_EVERY)
    world.stopped = {"a"}
    world.late_after(SILENT - LOOK_EVERY)
    assert world.fleet.heard == ["a", "b"]
    world.late_after(4 * LOOK_EVERY)
    assert world.fleet.heard == ["b"]
    world.stopped = set()
    world.late_after(LOOK_EVERY)
    assert world.fleet.heard == ["a", "b"]
