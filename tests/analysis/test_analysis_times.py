import pytest

from spcabench.analysis.times import clocked

QUIET = [1.00, 1.01, 1.02, 0.99, 1.00]


def times(cpu, wall=None, **others):
    return clocked(cpu, cpu if wall is None else wall, **others)


def test_quiet_times_are_summarised_by_their_median():
    found = times([1.0, 1.02, 1.01, 1.0, 1.03])
    assert (found.cpu, found.contended, found.wall_per_cpu) == (1.01, False, 1)


@pytest.mark.parametrize("others", [{"wall": [1.4] * 5}, {"shared": True}])
def test_work_beside_a_fit_is_seen(others):
    assert times(QUIET, **others).contended
    assert times(QUIET, **others).cpu == 0.99


def test_a_little_waiting_is_no_contention_threads_may_wait_and_restless_times_are():
    assert not times(QUIET, [1.2] * 5).contended
    assert not times(QUIET, [2.0] * 5, threads=2).contended
    assert times([1, 1.4, 1, 1.5, 2.0]).contended
    assert not times([1, 1.4, 1, 1.5, 2.0] * 5).contended, "restless as they are, their median is known"
    assert not times([1, 9]).contended
