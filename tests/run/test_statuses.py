"""Whatever a method does costs its own cell alone, and the record says what it was."""

from pathlib import Path

import psutil
import pytest

EXPECTED = {
    "axes": ("ok", ""),
    "raises": ("error", "ArithmeticError: the sum | was"),
    "not_finite": ("invalid", "not finite"),
    "wrong_shape": ("invalid", "components_ of shape (8, 2); wanted is (2, 8)"),
    "not_unit": ("invalid", "norm 3; wanted is 1 or 0"),
    "complex_loadings": ("invalid", "complex128"),
    "sleeps": ("timeout", "longer than its limit of 2 s"),
    "segfaults": ("crashed", "SIGSEGV"),
    "exits": ("crashed", "exit code 3"),
    "system_exits": ("error", "SystemExit: enough"),
    "allocates": ("out_of_memory", "limit of 0.25 GiB"),
    "unconverged": ("not_converged", "did not converge"),
    "warns": ("ok", ""),
    "writes": ("error", "read-only"),
    "missing_module": ("unavailable", "pip install no-such-module"),
    "needs_labels": ("skipped", "requires labels, which spiked does not have"),
}


@pytest.fixture
def frame(ran):
    frame, folder, events = ran(methods=list(EXPECTED), limits={"time": 2.0, "memory": 0.25})
    frame.attrs.update(folder=folder, events=events)
    return frame.set_index("method", drop=False)


def test_every_cell_gets_its_own_status_and_reason(frame):
    for method, (status, reason) in EXPECTED.items():
        assert frame.status[method] == status, (method, frame.reason[method])
        assert reason in frame.reason[method]
    assert frame.cpev["axes"] > 0
    assert frame.cpev["axes"] == frame.cpev["warns"]
    folder = frame.attrs["folder"]
    record = folder.record(frame.key["warns"])
    assert record.fit["warnings"] == ["RuntimeWarning: take care"]
    assert "a word on stdout" in record.fit["output"]
    assert "ArithmeticError" in "\n".join(folder.record(frame.key["raises"]).fit["traceback"])


def test_nothing_is_left_behind(frame):
    mine = psutil.Process()
    assert [child.cmdline() for child in mine.children(recursive=True)] == []
    assert not list(frame.attrs["folder"].path.rglob("*.part"))
    assert not (frame.attrs["folder"].path / ".work").exists()


def test_every_worker_holds_its_threads(ran):
    frame, folder, _ = ran(methods=["axes"], threads=1)
    pools = folder.record(frame.key[0]).fit["threads"]
    assert pools
    assert set(pools.values()) == {1}


def test_more_components_than_features_is_skipped(ran):
    frame, _, _ = ran(n_components=9)
    assert frame.status[0] == "skipped"
    assert "9 components wanted of data with 8 features" in frame.reason[0]


def test_a_metric_whose_requirements_are_not_met_is_left_out(ran):
    frame, _, _ = ran(datasets=["digits"], metrics=["cpev", "mr"])
    assert frame.status[0] == "ok"
    assert frame.cpev[0] > 0
    assert "mr" not in frame


def test_a_failing_metric_costs_its_value_alone(ran, monkeypatch):
    broken = "def compute(evaluation):\n    raise ZeroDivisionError('no')\n"
    plugin = """
import spcabench
@spcabench.hookimpl
def spcabench_metrics():
    return [spcabench.MetricSpec(name="broken_metric", compute="broken_metric:compute")]
"""
    file = Path("broken_metric.py")
    file.write_text(broken + plugin)
    frame, folder, _ = ran(metrics=["cpev", "broken_metric"], plugins=[file.resolve()])
    assert frame.status[0] == "ok"
    assert frame.cpev[0] > 0
    assert folder.record(frame.key[0]).fit["metric_errors"] == {"broken_metric": "ZeroDivisionError: no"}
