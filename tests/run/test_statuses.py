"""Whatever a method does costs its own cell alone, and the record says what it was."""

import contextlib
import resource
import threading
import time
from pathlib import Path

import psutil
import pytest
from after_runs import same, statuses

LEFT_BEHIND = "a process of an odd method"

EXPECTED = {
    "axes": ("ok", ""),
    "raises": ("error", "ArithmeticError: the sum | was"),
    "not_finite": ("invalid", "not finite"),
    "wrong_shape": ("invalid", "components_ of shape (8, 2); wanted is (2, 8)"),
    "not_unit": ("invalid", "norm 1.001; wanted is 1 or 0"),
    "complex_loadings": ("invalid", "complex128"),
    "sleeps": ("timeout", "longer than its limit of 5 s"),
    "segfaults": ("crashed", "SIGSEGV"),
    "exits": ("crashed", "exit code 3"),
    "system_exits": ("error", "SystemExit: enough"),
    "allocates": ("out_of_memory", "limit of 0.25 GiB"),
    "unconverged": ("not_converged", "did not converge"),
    "warns": ("ok", ""),
    "writes": ("error", "read-only"),
    "leaves_children": ("ok", ""),
    "prints_endlessly": ("ok", ""),
    "seeds_everything": ("ok", ""),
    "draws_globally": ("ok", ""),
    "raises_threads": ("ok", ""),
    "forks_after_threads": ("ok", ""),
    "kills_its_parent": ("crashed", "the server that forks workers ended, twice at this fit"),
    "raises_speechless": ("error", "Speechless"),
    "raises_novel": ("error", "ValueError: long long"),
    "nonsense_facts": ("ok", ""),
    "endless_facts": ("ok", ""),
    "nonsense_mean": ("invalid", "mean_ is not the mean of 8 features"),
    "object_loadings": ("invalid", "components_ of type object"),
    "ragged_loadings": ("invalid", "components_ of type list"),
    "masked_loadings": ("invalid", "masked values"),
    "subclass_loadings": ("ok", ""),
    "sparse_loadings": ("ok", ""),
    "half_loadings": ("ok", ""),
    "list_loadings": ("ok", ""),
    "late_loadings": ("error", "LookupError: not yet"),
    "missing_module": ("unavailable", "pip install no-such-module"),
    "needs_labels": ("skipped", "requires labels, which spiked does not have"),
}


ONE_EACH = ["axes", "unconverged", "raises", "not_finite", "segfaults", "missing_module", "needs_labels", "sleeps"]

HEALTHY = ["axes", "warns", "draws_globally"]


@pytest.fixture
def largest_output(place):
    """Watch the workers' output while a test runs; call it for the most bytes of disk that one file took."""
    sizes, over = [0], threading.Event()

    def watch():
        while not over.wait(0.01):
            for file in place.glob("*/.work/*/output.txt"):
                with contextlib.suppress(OSError):
                    sizes.append(512 * file.stat().st_blocks)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    yield lambda: max(sizes)
    over.set()
    watcher.join()


def test_each_status_once(ran):
    frame, folder, _ = ran(methods=ONE_EACH, limits={"time": 1.0, "memory": 4.0})
    records = {method: folder.record(key) for method, key in zip(frame.method, frame.key, strict=True)}
    assert {method: record.status for method, record in records.items()} == {m: EXPECTED[m][0] for m in ONE_EACH}
    assert records["sleeps"].reason == "the fit took longer than its limit of 1 s"
    assert records["sleeps"].fit.time_limit == 1.0
    for method in ONE_EACH[:-1]:
        assert EXPECTED[method][1] in records[method].reason
    assert (frame.cpev > 0).tolist() == [True, True] + 6 * [False]
    assert "ArithmeticError" in "\n".join(records["raises"].fit.traceback)
    assert psutil.Process().children(recursive=True) == []


def test_a_fit_that_takes_too_much_memory_is_ended(ran):
    frame, _, _ = ran(methods=["allocates"], limits={"time": 60.0, "memory": 0.5})
    assert (frame.status[0], frame.reason[0]) == ("out_of_memory", "more than its limit of 0.5 GiB")


@pytest.mark.nightly
def test_whatever_a_method_does_costs_its_own_cell_alone(ran, largest_output):
    alone, before, _ = ran(methods=HEALTHY, folder="alone")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    frame, folder, _ = ran(methods=list(EXPECTED), limits={"time": 5.0, "memory": 0.25}, folder="all")
    frame = frame.set_index("method", drop=False)
    records = {method: folder.record(key) for method, key in frame.key.items()}

    for method, (status, reason) in EXPECTED.items():
        assert frame.status[method] == status, (method, frame.reason[method])
        assert reason in frame.reason[method]
        assert len(records[method].dumps()) < 200_000
    assert records["warns"].fit.warnings == ("RuntimeWarning: take care",)
    assert "a word on stdout" in records["warns"].fit.output
    assert "ArithmeticError" in "\n".join(records["raises"].fit.traceback)
    assert records["prints_endlessly"].fit.output.endswith("the last word\n")
    assert "changed its threads" in records["raises_threads"].fit.warnings[0]
    assert records["nonsense_facts"].fit.n_iter is None

    for method, key in alone.set_index("method").key.items():
        assert folder.record(key).metrics == before.record(key).metrics, method
        assert same(folder.loadings(key), before.loadings(key)), method
    taken = ["seeds_everything", "subclass_loadings", "sparse_loadings", "half_loadings", "list_loadings"]
    assert (frame.cpev[taken] == frame.cpev["axes"]).all()

    assert psutil.Process().children(recursive=True) == []
    assert not [p.pid for p in psutil.process_iter(["cmdline"]) if LEFT_BEHIND in " ".join(p.info["cmdline"] or [])]
    assert not list(folder.path.rglob("*.part"))
    assert not (folder.path / ".work").exists()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 64 * 2**10, "the host's memory is not flat"
    assert largest_output() < 2**29


def test_every_worker_holds_its_threads(ran):
    frame, folder, _ = ran(methods=["axes"], threads=1)
    pools = folder.record(frame.key[0]).fit.threads
    assert pools
    assert set(pools.values()) == {1}


def test_more_components_than_features_is_skipped(ran):
    frame, _, _ = ran({"isolation": False}, n_components=9)
    assert frame.status[0] == "skipped"
    assert "9 components are wanted of spiked, which has 8 features" in frame.reason[0]


def test_a_metric_whose_requirements_are_not_met_is_left_out(ran):
    frame, _, _ = ran({"isolation": False}, datasets=["digits"], metrics=["cpev", "mr"])
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
    file.write_text(broken + plugin, encoding="utf-8")
    frame, folder, _ = ran({"isolation": False}, metrics=["cpev", "broken_metric"], plugins=[file.resolve()])
    assert frame.status[0] == "ok"
    assert frame.cpev[0] > 0
    assert folder.record(frame.key[0]).fit.metric_errors == {"broken_metric": "ZeroDivisionError: no"}


@pytest.mark.nightly
def test_a_method_that_ends_the_server_costs_its_neighbours_nothing(ran):
    pauses = {"name": "axes", "params": {"pause": [0.3, 0.31, 0.32, 0.33]}}
    killers = {"name": "kills_its_parent", "params": {"pause": [0.1, 0.2]}}
    frame, folder, _ = ran({"jobs": 3}, methods=[killers, pauses, "warns"])
    killers = frame.method.str.startswith("kills")
    assert (frame.status[killers] == "crashed").all()
    assert (frame.status[~killers] == "ok").all()
    assert frame.reason[killers].str.contains("twice at this fit").all()
    assert not (folder.path / ".work").exists()


@pytest.mark.nightly
def test_a_server_ended_from_outside_costs_no_cell_anything(cli, suite_file, place):
    suite = suite_file(methods=[{"name": "axes", "params": {"pause": [1.0, 1.1]}}])
    log = place / "log"
    host = cli("run", suite, "-o", "out", "--jobs", "2", ODD_LOG=str(log))
    deadline = time.monotonic() + 60
    while not (marks := log.exists()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    (server,) = psutil.Process(host.pid).children()
    server.kill()
    assert host.wait(60) == 0, host.stderr.read()
    assert statuses(place / "out") == ["ok", "ok"]
    assert marks
