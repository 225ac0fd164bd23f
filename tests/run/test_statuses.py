"""Whatever a method does costs its own cell alone, and the record says what it was, or why it was not fitted."""

from dataclasses import replace
from multiprocessing import Pipe

import psutil
import pytest
from after_runs import statuses, until
from odd_suite import ODD
from tasks import draw_record

from spcabench.plugins import load_registry
from spcabench.run.cells import why_not
from spcabench.run.executors.local import Server
from spcabench.run.messages import Result
from spcabench.suite.load import load_suite

EXPECTED = {
    "axes": ("ok", ""),
    "unconverged": ("not_converged", "did not converge"),
    "raises": ("error", "ArithmeticError: the sum | was"),
    "not_finite": ("invalid", "not finite"),
    "segfaults": ("crashed", "SIGSEGV"),
    "exits": ("crashed", "exit code 3"),
    "missing_module": ("unavailable", "pip install no-such-module"),
    "needs_labels": ("skipped", "requires labels, which spiked does not have"),
    "writes": ("error", "read-only"),
    "sleeps": ("timeout", "the fit took longer than its limit of 1 s"),
}


def test_each_status_once(ran):
    frame, folder, _ = ran(methods=[*EXPECTED, "warns"], limits={"time": 1.0, "memory": 4.0})
    records = {method: folder.record(key) for method, key in zip(frame.method, frame.key, strict=True)}
    assert {method: records[method].status for method in EXPECTED} == {m: status for m, (status, _) in EXPECTED.items()}
    for method, (_, reason) in EXPECTED.items():
        assert reason in records[method].reason
    assert (frame.cpev > 0).sum() == 3
    assert "ArithmeticError" in "\n".join(records["raises"].fit.traceback)
    assert records["warns"].fit.warnings == ("RuntimeWarning: take care",)
    assert "a word on stdout" in records["warns"].fit.output
    pools = records["axes"].fit.threads
    assert set(pools.values()) == {1}
    assert psutil.Process().children(recursive=True) == []


def test_a_metric_whose_requirements_are_not_met_is_left_out(here):
    frame, _, _ = here(datasets=["digits"], metrics=["cpev", "mr"])
    assert frame.status[0] == "ok"
    assert frame.cpev[0] > 0
    assert "mr" not in frame


def test_a_failing_metric_costs_its_value_alone(here, plugin):
    code = "def compute(evaluation):\n    raise ZeroDivisionError('no')"
    file = plugin("broken_metric", code, "MetricSpec(name='broken_metric', compute='broken_metric:compute')")
    frame, folder, _ = here(metrics=["cpev", "broken_metric"], plugins=[file])
    assert frame.status[0] == "ok"
    assert frame.cpev[0] > 0
    assert folder.record(frame.key[0]).fit.metric_errors == {"broken_metric": "ZeroDivisionError: no"}


@pytest.mark.nightly
def test_a_server_ended_from_outside_costs_no_cell_anything(cli, suite_file, place):
    suite = suite_file(methods=[{"name": "axes", "params": {"pause": [1.0, 1.1]}}])
    log = place / "log"
    host = cli("run", suite, "-o", "out", "--jobs", "2", ODD_LOG=str(log))
    until(log.exists, host)
    (server,) = psutil.Process(host.pid).children()
    server.kill()
    assert host.wait(60) == 0, host.stderr.read()
    assert statuses(place / "out") == ["ok", "ok"]


def test_a_module_that_ends_who_imports_it_costs_its_own_cell_alone(ran, place, plugin):
    (place / "ends_all.py").write_text("import os\nclass Method: pass\nos._exit(5)\n")
    file = plugin("names_it", "", "MethodSpec(name='ends_all', estimator='ends_all:Method')")
    frame, _, _ = ran(methods=["axes", "ends_all"], plugins=[file])
    assert frame.status.tolist() == ["ok", "crashed"]
    assert frame.reason[1] == "the process ended with exit code 5 before the task was done"


def test_what_a_server_said_before_it_ended_counts():
    server = object.__new__(Server)
    server._line, theirs = Pipe()
    theirs.send((1, "ended", 0))
    theirs.close()
    assert server.events(1.0) == [(1, "ended", 0)]
    with pytest.raises(EOFError):
        server.events(1.0)


RECORD = draw_record(label="spiked [stand-in: toy]", stand_in="toy")
NEEDS, DRAWN = "needs_labels requires labels, which ", "spiked [stand-in: toy]"


@pytest.mark.parametrize(
    ("method", "changes", "draw", "status", "reason"),
    [
        ("axes", {}, RECORD, None, ""),
        ("axes", {"n_components": 8}, replace(RECORD, notes="no labels were read"), None, ""),
        ("axes", {"n_components": 9}, RECORD, "skipped", f"9 components are wanted of {DRAWN}, which has 8 features"),
        ("axes", {}, Result(status="error", reason="no data"), "error", "no data"),
        ("needs_labels", {}, None, "skipped", f"{NEEDS}spiked does not have"),
        ("needs_labels", {"skip": ""}, RECORD, "skipped", f"{NEEDS}{DRAWN} does not have"),
        ("needs_labels", {"skip": ""}, replace(RECORD, notes="none"), "skipped", f"{NEEDS}{DRAWN} does not have: none"),
    ],
)
def test_why_a_cell_is_not_fitted(method, changes, draw, status, reason, suite_file):
    cell = load_suite(str(suite_file(methods=[method])), load_registry([ODD])).plan.cells[0]
    failure = why_not(replace(cell, **changes), draw)
    assert (failure and failure.status) == status
    assert failure is None or failure.reason == reason
