"""Times that other work disturbed are marked, by what was measured of them."""

import pytest

from spcabench.store.record import Facts, Timing, clock_of


def clock(wall, cpu, **facts):
    return clock_of(Timing(fit_time=tuple(wall), cpu_time=tuple(cpu)), Facts(**facts))


@pytest.mark.parametrize(
    ("wall", "facts", "contended"),
    [
        ([0.0037], {}, False),
        ([0.0317], {}, True),
        ([0.0317], {"threads": {"openblas": 2}}, False),
        ([0.0037], {"contended": True}, True),
    ],
)
def test_wall_over_cpu_and_shared_cores_each_mark_a_time(wall, facts, contended):
    assert clock(wall, [0.0037], **facts).contended == contended


def test_of_contended_times_the_minimum_counts():
    wall, cpu = [1.0, 3.0, 8.0], [1.0, 2.0, 6.0]
    assert (clock(wall, wall).wall, clock(wall, cpu).wall, clock(wall, cpu).cpu) == (3.0, 1.0, 1.0)
    assert clock(wall, cpu).wall_per_cpu == pytest.approx(12 / 9)
    assert clock_of(Timing(), Facts()) is None


def test_a_fit_that_waits_is_marked_in_the_frame(here):
    frame, folder, _ = here(methods=[{"name": "axes", "params": {"pause": 0.2}}])
    assert frame.contended[0]
    assert frame.wall_per_cpu[0] > 1.3
    timing = folder.record(frame.key[0]).timing
    assert frame.wall_per_cpu[0] == pytest.approx(timing.fit_time[0] / timing.cpu_time[0])
    assert not folder.record(frame.key[0]).fit.contended
