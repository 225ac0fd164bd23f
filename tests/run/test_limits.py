"""A worker is held to the time and the memory that the suite allows, and to no others."""

import os
import time
from pathlib import Path

import psutil
import pytest

from spcabench.run.executors.local import Server
from spcabench.run.executors.watch import COMPILE, START, TRACE, Watch
from spcabench.run.messages import OUTPUT, Entered, add_line
from spcabench.run.worker.fork_server import KEPT_OUTPUT, Output
from spcabench.suite.models import Limits

LIMITS = Limits(time=5.0, memory=1e6, draw=50.0, score=7.0)


def late(*entered, now):
    """Return why a worker is late that was ordered at 0 and entered phases, each with its time."""
    watched = Watch(Path(), LIMITS, since=0.0)
    for phase, at in entered:
        watched.enter(phase, at)
    return watched.why_late(now)


@pytest.mark.parametrize(
    ("phase", "limit"),
    [
        ("start", 5.0 + START),
        ("draw", 50.0),
        ("fit", 5.0),
        ("compilation", COMPILE),
        ("keeping", 5.0 + START),
        ("trace", 5.0 + TRACE),
        ("scoring", 7.0),
        ("end", 5.0 + START),
    ],
)
def test_each_phase_has_seconds_of_its_own(phase, limit):
    begun = 3.0 if phase != "start" else 0.0
    assert late((phase, begun), now=begun + 0.9 * limit) == ""
    assert late((phase, begun), now=begun + 1.1 * limit) == f"the {phase} took longer than its limit of {limit:g} s"


def test_pauses_do_not_begin_the_fit_anew():
    again = [(phase, 1.0 + at) for at in range(4) for phase in ("fit", "compilation")]
    assert late(*again, ("fit", 5.0), now=9.0) == ""
    paused = ("fit", 1.0), ("compilation", 5.0), ("fit", 70.0)
    assert late(*paused, now=70.9) == ""
    assert late(*paused, now=71.1) == "the fit took longer than its limit of 5 s"


def test_what_its_server_imports_is_not_a_workers_time():
    watched = Watch(Path(), LIMITS, since=time.monotonic() - 100.0)
    watched.start(1)
    assert watched.why_late(time.monotonic()) == ""


def watch(folder, limits):
    now = time.monotonic()
    return Watch(folder, limits, since=now - 9.0, looked=now - 1.0, pid=os.getpid())


def test_a_fit_that_is_over_its_limit_is_a_timeout(tmp_path):
    add_line(tmp_path, Entered(phase="fit", at=time.monotonic() - 6.0))
    failure = watch(tmp_path, LIMITS).over_limit()
    assert (failure.status, failure.reason) == ("timeout", "the fit took longer than its limit of 5 s")
    add_line(tmp_path, Entered(phase="keeping", at=time.monotonic() - 2.0))
    assert watch(tmp_path, LIMITS).over_limit() is None


def test_of_a_long_output_the_end_is_kept(tmp_path):
    output = Output(tmp_path / OUTPUT)
    for _ in range(100):
        os.write(output.written, 1000 * "wörd ".encode())
        output.take()
    os.write(output.written, b"the last word")
    output.close()
    os.close(output.written)
    assert watch(tmp_path, LIMITS).output.endswith("wörd the last word")
    assert (tmp_path / OUTPUT).stat().st_size < 1.1 * KEPT_OUTPUT


@pytest.mark.parametrize(("share", "is_over"), [(0.3, True), (1.5, False)])
def test_memory_is_that_of_the_process_and_what_it_started(tmp_path, share, is_over):
    """The worker is this process; its limit is a share of what it has."""
    process = psutil.Process()
    has = sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]) / 2**30
    failure = watch(tmp_path, Limits(time=1e6, memory=share * has)).over_limit()
    assert (failure is not None) == is_over
    if failure:
        assert failure.status == "out_of_memory"
        assert failure.reason == f"more than its limit of {share * has:g} GiB"


def test_the_limits_of_time_and_memory_are_those_of_the_suite(ran):
    cells = {(0.2, 0): "ok", (3.0, 0): "timeout", (0.5, 64): "ok", (0.5, 700): "out_of_memory"}
    methods = [
        {"name": "axes", "label": str(held), "params": dict(zip(("pause", "mebibytes"), held, strict=True))}
        for held in cells
    ]
    frame, _, _ = ran(methods=methods, limits={"time": 2.0, "memory": 0.6})
    assert frame.set_index("method").status.to_dict() == {str(held): status for held, status in cells.items()}


def test_a_fit_that_ends_while_it_is_being_ended_was_too_long_all_the_same(ran, monkeypatch):
    ask = Server.ask

    def late(self, worker, order):
        if order is None:
            time.sleep(1.0)  # the fit ends, and its metrics are computed
        ask(self, worker, order)

    monkeypatch.setattr(Server, "ask", late)
    frame, _, _ = ran(methods=[{"name": "axes", "params": {"pause": 0.8}}], limits={"time": 0.5})
    assert list(frame["status"]) == ["timeout"]


def test_without_isolation_a_fit_that_took_too_long_is_a_timeout_when_it_has_ended(here):
    methods = [{"name": "axes", "label": str(pause), "params": {"pause": pause}} for pause in (0.0, 0.8)]
    frame, folder, _ = here(methods=methods, limits={"time": 0.5})
    assert list(frame["status"]) == ["ok", "timeout"]
    assert "longer than its limit of 0.5 s" in frame["reason"].iloc[1]
    assert folder.loadings(frame["key"].iloc[1]) is None


@pytest.mark.nightly
def test_an_import_that_hangs_is_held_to_the_limit_in_the_server_and_in_the_worker(ran, plugin, place, monkeypatch):
    (place / "hangs_forever.py").write_text("import time\ntime.sleep(600)\nclass A: ...\n")
    monkeypatch.syspath_prepend(place)
    monkeypatch.setenv("PYTHONPATH", str(place))
    spec = "MethodSpec(name='hangs', estimator='hangs_forever:A', knob=CARDINALITY)"
    begun = time.monotonic()
    frame, _, _ = ran(plugins=[plugin("hangs_at_import", "", spec)], methods=["hangs"], limits={"time": 0.5})
    assert frame.status.tolist() == ["timeout"]
    assert frame.reason[0] == "the start took longer than its limit of 10.5 s"
    assert time.monotonic() - begun < 45
