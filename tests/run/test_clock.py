"""What is learnt of a fit: its time at the knob that was found, the search apart; its loadings; and disturbed times."""

import time

import numpy as np
import pytest
from tasks import fit_task

from spcabench.dataset import Dataset
from spcabench.run.worker.fit import SHORT, fit
from spcabench.specs import CARDINALITY, Knob
from spcabench.store.record import Facts, Timing, clock_of

SEARCH, PLAIN = 0.3, 0.05
"""Seconds that a search inside ``fit``, and a fit at a penalty, take at least."""

DATA = Dataset(X=np.random.default_rng(0).standard_normal((10, 4)))


def busy(seconds):
    """Use the processor for so many seconds of its time."""
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass


class Searching:
    """Searches its penalty inside ``fit`` unless it has one."""

    def __init__(self, n_components=1, n_nonzero=None, alpha=None, norm=1.0):
        self.n_components, self.alpha, self.norm = n_components, alpha, norm

    def fit(self, X):
        if len(X) != 24 and self.alpha is None:  # 24 rows: the warm-up
            busy(SEARCH)
            self.calibrated_params_, self.n_fits_ = {"alpha": 2.0}, [3, 4]
        elif len(X) != 24:
            busy(PLAIN)
        self.components_ = self.norm * np.eye(X.shape[1])[: self.n_components]
        return self


class Joint(Searching):
    """Has one penalty for all components, which the host searches."""

    def fit(self, X):
        super().fit(X)
        kept = max(1, 4 - int(self.alpha))
        self.components_ = np.r_[np.ones(kept), np.zeros(4 - kept)][None, :] / np.sqrt(kept)
        return self


def timed(name, knob, folder):
    return fit(fit_task(f"{__name__}:{name}", knob=knob, n_nonzero=2), DATA, folder)[0]


def test_a_search_inside_the_fit_is_not_in_its_time(tmp_path):
    result = timed("Searching", CARDINALITY, tmp_path)
    assert result.facts.found == {"alpha": 2.0}
    assert result.timing.n_fits == (7.0,)
    assert result.timing.search_time[0] >= SEARCH
    assert PLAIN <= result.timing.cpu_time[0] < SEARCH
    assert result.timing.fit_time[0] >= PLAIN


def test_the_search_of_a_joint_penalty_is_not_in_the_time_of_the_fit(tmp_path):
    result = timed("Joint", Knob("penalty", "alpha", 0.0, 30.0), tmp_path)
    n_fits = result.timing.n_fits[0]
    assert n_fits >= 3
    assert result.facts.nnz == (2,)
    assert result.facts.target_missed == ()
    assert result.timing.search_time[0] >= n_fits * PLAIN
    assert PLAIN <= result.timing.cpu_time[0] < 2 * PLAIN


def test_wall_and_processor_time_are_told_apart(tmp_path, monkeypatch):
    """On a clock of the test's own: the fit is one tick of each, whatever the search took."""
    wall, cpu = iter(range(0, 1000, 10)), iter(range(100))
    monkeypatch.setattr("spcabench.run.worker.clock.perf_counter", lambda: float(next(wall)))
    monkeypatch.setattr("spcabench.run.worker.clock.process_time", lambda: float(next(cpu)))
    monkeypatch.setattr(f"{__name__}.busy", lambda seconds: None)
    timing = timed("Searching", CARDINALITY, tmp_path).timing
    assert (timing.search_time, timing.fit_time, timing.cpu_time) == ((10.0,), (10.0,), (1.0,))


@pytest.mark.parametrize("seconds", [0.5 * SHORT, 1.5 * SHORT])
def test_a_short_fit_is_timed_warm(tmp_path, monkeypatch, seconds):
    busy_for = iter([seconds, 0.1 * seconds])
    monkeypatch.setattr(f"{__name__}.busy", lambda _: time.sleep(next(busy_for)))
    task = fit_task(f"{__name__}:Searching", params={"alpha": 1.0})
    timing = fit(task, DATA, tmp_path)[0].timing
    assert timing.cold_time[0] >= seconds
    assert (timing.fit_time[0] < 0.9 * seconds) == (seconds < SHORT)


@pytest.mark.parametrize(("n_nonzero", "missed"), [(1, ()), (2, (0, 1)), ((1, 2), (1,)), (None, None)])
def test_the_nonzeros_and_the_targets_missed_are_those_of_the_loadings(tmp_path, n_nonzero, missed):
    task = fit_task(f"{__name__}:Searching", params={"alpha": 1.0}, n_components=2, n_nonzero=n_nonzero)
    facts = fit(task, DATA, tmp_path)[0].facts
    assert facts.nnz == (1, 1)
    assert facts.target_missed == missed


@pytest.mark.parametrize(
    ("norm", "status"), [(1.0, "ok"), (1.00005, "ok"), (0.0, "ok"), (-1.0, "ok"), (1.001, "invalid"), (0.95, "invalid")]
)
def test_rows_are_unit_rows_but_for_rounding_and_their_largest_entry_is_positive(tmp_path, norm, status):
    task = fit_task(f"{__name__}:Searching", params={"alpha": 1.0, "norm": norm}, n_components=2)
    result, loadings = fit(task, DATA, tmp_path)
    assert result.status == status
    if status == "ok":
        np.testing.assert_array_equal(loadings["components"], abs(norm) * np.eye(2, 4))


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
