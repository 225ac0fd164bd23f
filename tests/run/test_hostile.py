"""Whatever methods, metrics and data sets do on purpose, their own cells alone show it."""

import resource
from pathlib import Path

import harmful_plugin as harm
import psutil
import pytest
from after_runs import same

from spcabench.store.files import scratch_of

PLUGIN = Path(harm.__file__)
HEALTHY = ["axes", "warns", "draws_globally"]
NOT_ALONE = "ends_the_server"
"""It costs the cells that run beside it too."""
LIMITS = {"time": 6.0, "memory": 0.6, "draw": 12.0, "score": 3.0}


@pytest.fixture
def hostile(ran):
    """Run with the harmful plugin; return the records by method, data set or number, and see that nothing is left."""

    def go(by="method", **changes):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        options = changes.pop("options", None)
        frame, folder, _ = ran(options, plugins=[PLUGIN], limits=LIMITS, **changes)
        assert psutil.Process().children(recursive=True) == []
        lines = [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
        assert not [line for line in lines if str(scratch_of(folder.path)) in line]
        assert not scratch_of(folder.path).exists()
        assert not list(folder.path.rglob("*.part"))
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 64 * 2**10, "the host's memory is not flat"
        return {name: folder.record(key) for name, key in zip(frame[by], frame.key, strict=True)}, folder

    return go


def test_some_of_it(hostile):
    quick = [f"has_loadings_{kind}" for kind in harm.LOADINGS] + ["has_nonsense_facts", "has_no_loadings_yet"]
    some = ["raises_a_keyboardinterrupt", "leaves_a_daemon", "prints_without_end", "looks_for_the_store"]
    names = [*some, *quick, NOT_ALONE]
    records, _ = hostile(methods=[*names, "axes"])
    for name in names:
        status, reason = harm.METHODS[name]
        assert (records[name].status, reason in records[name].reason) == (status, True), records[name].reason
    assert records["axes"].status == "ok"
    assert "word word" in records["prints_without_end"].fit.output


def test_a_cell_that_ends_leaves_the_processes_of_others_alone(hostile):
    neighbours = {"name": "axes", "params": {"pause": [0.1 + 0.01 * step for step in range(12)]}}
    records, _ = hostile(methods=["needs_its_daemon", neighbours], options={"jobs": 2})
    assert records["needs_its_daemon"].status == "ok", records["needs_its_daemon"].reason


@pytest.mark.nightly
def test_methods(hostile):
    others = [name for name in harm.METHODS if name != NOT_ALONE]
    alone, before = hostile(methods=HEALTHY, folder="alone")
    records, after = hostile(methods=[*others, *HEALTHY], options={"jobs": 2}, folder="all")
    wrong = {
        name: (records[name].status, records[name].reason)
        for name, (status, reason) in ((name, harm.METHODS[name]) for name in others)
        if records[name].status != status or reason not in records[name].reason
    }
    assert wrong == {}
    assert all(len(record.dumps()) < 200_000 for record in records.values())
    assert "changed its threads" in records["raises_its_threads"].fit.warnings[0]
    assert records["has_nonsense_facts"].fit.n_iter is None
    for name, record in alone.items():
        assert records[name].metrics == record.metrics, name
        assert same(after.loadings(record.key), before.loadings(record.key)), name
    fine = [name for name in others if harm.METHODS[name][0] == "ok"]
    assert {records[name].metrics["cpev"] for name in fine} == {records["axes"].metrics["cpev"]}
    written = sum(file.stat().st_size for file in after.path.rglob("*") if file.is_file())
    assert written < 2**26, "endless output fills no disk"


@pytest.mark.nightly
def test_metrics_that_let_their_process_live(hostile):
    names = [name for name in harm.METRICS if name not in harm.LETHAL]
    record = hostile(methods=["axes"], metrics=["cpev", *names, "mean_nnz"])[0]["axes"]
    assert record.status == "ok"
    assert record.metrics["cpev"] > 0
    assert record.metrics["mean_nnz"] == 1
    errors = record.fit.metric_errors
    assert errors.keys() == {name for name in names if harm.METRICS[name]}
    assert all(harm.METRICS[name] in error for name, error in errors.items()), errors


@pytest.mark.nightly
@pytest.mark.parametrize("name", harm.LETHAL)
def test_metrics_that_end_their_process(hostile, name):
    record = hostile(methods=["axes"], metrics=["cpev", name, "mean_nnz"])[0]["axes"]
    assert (record.status, record.metrics) == ("ok", {})
    assert record.fit.metric_errors.keys() == {"cpev", "cpev_refitted", name, "mean_nnz"}
    assert all(harm.METRICS[name] in error for error in record.fit.metric_errors.values())


@pytest.mark.nightly
def test_data_sets(hostile):
    spiked = {"name": "spiked", "params": {"n": 50, "d": 8, "spikes": [9.0], "support_size": 3}}
    records, _ = hostile(by="dataset", methods=["axes"], datasets=[*harm.DATASETS, spiked])
    assert records["spiked"].status == "ok"
    for name, reason in harm.DATASETS.items():
        assert records[name].status == "error", name
        assert reason in records[name].reason, (name, records[name].reason)
