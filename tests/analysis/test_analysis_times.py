import pytest

from spcabench.analysis.times import clocked, faster, unrest

QUIET = [1.00, 1.01, 1.02, 0.99, 1.00]


def times(cpu, wall=None, **others):
    return clocked(cpu, cpu if wall is None else wall, **others)


def test_quiet_times_are_summarised_by_their_median():
    found = times([1.0, 1.02, 1.01, 1.0, 1.03])
    assert (found.cpu, found.contended, found.wall_per_cpu) == (1.01, False, 1)
    assert (found.interval.low, found.interval.high) == (1.0, 1.03)


@pytest.mark.parametrize("others", [{"wall": [1.4] * 5}, {"shared": True}])
def test_work_beside_a_fit_is_seen(others):
    assert times(QUIET, **others).contended
    assert times(QUIET, **others).cpu == 0.99


def test_a_little_waiting_is_no_contention_threads_may_wait_and_restless_times_are():
    assert not times(QUIET, [1.2] * 5).contended
    assert not times(QUIET, [2.0] * 5, threads=2).contended
    assert times([1, 1.4, 1, 1.5, 2.0]).contended
    assert (unrest([1, 1.4, 1, 1.5, 2.0]) > 0.3, unrest([1, 9])) == (True, 0)


def test_a_shorter_time_is_claimed_only_when_it_is_surely_shorter():
    slow = [1.3 * seconds for seconds in QUIET]
    assert faster(times(QUIET), times(slow)) == "first"
    assert faster(times(slow), times(QUIET)) == "second"
    assert faster(times(QUIET[:4]), times(slow[:4])) == "not distinguished"
    assert faster(times(QUIET), times([1.05 * seconds for seconds in QUIET])) == "not distinguished"
    assert faster(times(QUIET), times([1.0, 1.3, 1.3, 1.3, 1.35])) == "not distinguished"
    assert faster(times(QUIET), times(slow, shared=True)) == "not distinguished"
