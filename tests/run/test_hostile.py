"""Whatever methods, metrics and data sets do on purpose, their own cells alone show it."""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

import harm
import harmful_plugin
import psutil
import pytest
from after_runs import same
from harm_by_metrics import LETHAL

from spcabench.run.executors import local, server
from spcabench.store.files import see_room

PLUGIN = Path(harmful_plugin.__file__)
HEALTHY = ["axes", "warns", "draws_globally"]
LIMITS = {"time": 4.0, "memory": 0.6, "draw": 12.0, "score": 3.0}


@pytest.fixture
def hostile(ran, monkeypatch):
    """Run with the harmful plugin; return the records by method, data set or number, and see that nothing is left."""
    monkeypatch.setattr(server, "PATIENCE", 10.0)

    def go(by="method", **changes):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        options = changes.pop("options", None)
        frame, folder, _ = ran(options, plugins=[PLUGIN], limits=LIMITS, **changes)
        assert psutil.Process().children(recursive=True) == []
        lines = [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
        assert not [line for line in lines if harm.LEFT_BEHIND in line]
        assert not (folder.path / ".work").exists()
        assert not list(folder.path.rglob("*.part"))
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 64 * 2**10, "the host's memory is not flat"
        return {name: folder.record(key) for name, key in zip(frame[by], frame.key, strict=True)}, folder

    return go


def test_the_plugin_is_as_large_as_it_is_to_be():
    assert len(harm.METHODS) >= 50
    assert len(harm.METRICS) >= 15
    assert len(harm.DATASETS) >= 8


@pytest.mark.parametrize(
    "names",
    [
        ["raises_keyboard_interrupt", "leaves_a_list", "stops_the_clock", "turns_the_clock_back"],
        ["writes_through_the_map", "overwrites_the_file_of_data", "removes_the_work_folder"],
    ],
    ids=["results", "data"],
)
def test_some_of_it(hostile, names):
    records, _ = hostile(methods=[*names, "axes"])
    for name in names:
        status, reason = harm.METHODS[name]
        assert (records[name].status, reason in records[name].reason) == (status, True), records[name].reason
    assert records["axes"].status == "ok"


def test_a_cell_that_ends_leaves_the_processes_of_others_alone(hostile):
    neighbours = {"name": "axes", "params": {"pause": [0.1 + 0.01 * step for step in range(12)]}}
    records, _ = hostile(methods=["needs_its_daemon", neighbours], options={"jobs": 2})
    assert records["needs_its_daemon"].status == "ok", records["needs_its_daemon"].reason


@pytest.mark.parametrize(
    "jobs",
    [pytest.param(1, marks=pytest.mark.weekly), pytest.param(2, marks=pytest.mark.nightly)],
)
def test_methods(hostile, jobs):
    alone, before = hostile(methods=HEALTHY, folder="alone")
    records, after = hostile(methods=[*harm.METHODS, *HEALTHY], options={"jobs": jobs}, folder="all")
    wrong = {
        name: (records[name].status, records[name].reason)
        for name, (status, reason) in harm.METHODS.items()
        if records[name].status != status or reason not in records[name].reason
    }
    assert wrong == {}
    assert all(len(record.dumps()) < 200_000 for record in records.values())
    for name, record in alone.items():
        assert records[name].metrics == record.metrics, name
        assert same(after.loadings(record.key), before.loadings(record.key)), name
    fine = [name for name, (status, _) in harm.METHODS.items() if status == "ok"]
    assert {records[name].metrics["cpev"] for name in fine} == {records["axes"].metrics["cpev"]}


@pytest.mark.nightly
def test_metrics_that_let_their_process_live(hostile):
    names = [name for name in harm.METRICS if name not in LETHAL]
    record = hostile(methods=["axes"], metrics=["cpev", *names, "mean_nnz"])[0]["axes"]
    assert record.status == "ok"
    assert record.metrics["cpev"] > 0
    assert record.metrics["mean_nnz"] == 1
    errors = record.fit.metric_errors
    assert errors.keys() == {name for name in names if harm.METRICS[name]}
    assert all(harm.METRICS[name] in error for name, error in errors.items()), errors


@pytest.mark.nightly
@pytest.mark.parametrize("name", LETHAL)
def test_metrics_that_end_their_process(hostile, name):
    record = hostile(methods=["axes"], metrics=["cpev", name, "mean_nnz"])[0]["axes"]
    assert record.status == "ok"
    assert record.metrics["cpev"] > 0
    assert harm.METRICS[name].removeprefix("its ") in record.fit.metric_errors[name]
    assert record.fit.metric_errors["mean_nnz"] == f"not computed, since {name} ended its process"


@pytest.mark.nightly
def test_data_sets(hostile):
    spiked = {"name": "spiked", "params": {"n": 50, "d": 8, "spikes": [9.0], "support_size": 3}}
    records, _ = hostile(by="dataset", methods=["axes"], datasets=[*harm.DATASETS, spiked])
    assert records["spiked"].status == "ok"
    for name, reason in harm.DATASETS.items():
        assert records[name].status == "error", name
        assert reason in records[name].reason, (name, records[name].reason)


def test_the_work_folder_is_removed_while_the_host_looks_for_room(hostile, monkeypatch, place):
    def removed_first(folder):
        shutil.rmtree(place / "out" / ".work")
        see_room(folder)

    monkeypatch.setattr(local, "see_room", removed_first)
    records, _ = hostile(methods=["leaves_nothing", "axes"])
    assert [records[name].status for name in ("leaves_nothing", "axes")] == ["crashed", "ok"]
