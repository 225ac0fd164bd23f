"""Times that other work disturbed are marked, by what was measured of them."""

import subprocess
import sys
import time

import psutil
import pytest

from spcabench.run.executors import watch
from spcabench.run.executors.watch import LOOK_EVERY, OthersLoad
from spcabench.store.record import Facts, Timing, clock_of

BURN = "import time\nprint(flush=True)\nend = time.monotonic() + 120\nwhile time.monotonic() < end: pass"


def clock(wall, cpu, **facts):
    return clock_of(Timing(fit_time=tuple(wall), cpu_time=tuple(cpu)), Facts(**facts))


@pytest.mark.parametrize(
    ("wall", "facts", "contended"),
    [
        ([0.0037], {}, False),
        ([0.0317], {}, True),
        ([0.0317], {"threads": {"openblas": 2}}, False),
        ([0.0037], {"load": 0.4}, False),
        ([0.0037], {"load": 0.6}, True),
        ([0.0037], {"contended": True}, True),
    ],
)
def test_wall_over_cpu_the_load_of_others_and_shared_cores_each_mark_a_time(wall, facts, contended):
    assert clock(wall, [0.0037], **facts).contended == contended


def test_of_contended_times_the_minimum_counts():
    wall, cpu = [1.0, 3.0, 8.0], [1.0, 2.0, 6.0]
    assert (clock(wall, wall).wall, clock(wall, cpu).wall, clock(wall, cpu).cpu) == (3.0, 1.0, 1.0)
    assert clock(wall, cpu).wall_per_cpu == pytest.approx(12 / 9)
    assert clock_of(Timing(), Facts()) is None


def test_a_fit_that_waits_is_marked_in_the_frame(here):
    frame, folder, events = here(methods=[{"name": "axes", "params": {"pause": 0.2}}])
    assert frame.contended[0]
    assert frame.wall_per_cpu[0] > 1.3
    timing = folder.record(frame.key[0]).timing
    assert frame.wall_per_cpu[0] == pytest.approx(timing.fit_time[0] / timing.cpu_time[0])
    assert not folder.record(frame.key[0]).fit.contended
    assert events[-1].text.endswith("; contended")


def test_the_record_has_the_largest_load_of_all_repeats(ran, monkeypatch):
    loads = iter([0.1, 0.2, 0.7, 0.3, 0.2, 0.1])
    monkeypatch.setattr(OthersLoad, "now", lambda self: next(loads, 0.0))
    frame, folder, _ = ran(repeats=3)
    assert folder.record(frame.key[0]).fit.load == 0.7
    assert frame.contended[0]


@pytest.fixture
def burning():
    """Start a program that keeps a processor busy."""
    with subprocess.Popen([sys.executable, "-c", BURN], stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield process.pid
        process.kill()


def test_a_neighbour_is_measured(burning):
    load = OthersLoad(server=0)
    time.sleep(2 * LOOK_EVERY)
    assert load.now() > 0.3
    assert load.now() == load.now(), "no new measurement before the window has passed"


def test_what_the_workers_use_is_not_the_load_of_others(burning, monkeypatch):
    """The system is as busy as the family of the server, and 0.25 cores beside."""
    start, used = time.monotonic(), []

    def busy():
        used.append(watch._used(psutil.Process()) + watch._used(psutil.Process(burning)))
        return used[-1] + 0.25 * (time.monotonic() - start)

    monkeypatch.setattr(watch, "_busy", busy)
    load = OthersLoad(burning)
    while psutil.Process(burning).cpu_times().user < 0.3 or time.monotonic() < start + 4 * LOOK_EVERY:
        time.sleep(0.05)
    assert load.now() == pytest.approx(0.25, abs=0.1)
    assert used[-1] > used[0], "it was busy"
