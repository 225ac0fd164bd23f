"""On a real Dask cluster the records are those of one machine, whatever becomes of its workers."""

import contextlib
import json
import re
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from after_runs import outlived, records, results, until
from loopback_dask import Dask

import spcabench
from spcabench.run.messages import FitTask
from spcabench.wording import InputError

pytest.importorskip("distributed", reason="takes pip install 'spcabench[dask]'")

ODD = ["axes", "raises", "not_finite", "sleeps", "segfaults", "exits", "unconverged", "writes"]
LIMITS = {"time": 5.0, "memory": 0.25}


@pytest.fixture
def started(tmp_path):
    """Start a scheduler and two workers, with these settings of Dask."""
    folder = tmp_path / "dask"
    folder.mkdir()
    with contextlib.ExitStack() as stack, pytest.MonkeyPatch.context() as patch:

        def start(**settings):
            for name, value in settings.items():
                patch.setenv(f"DASK_DISTRIBUTED__SCHEDULER__{name}", value)
            cluster = stack.enter_context(contextlib.closing(Dask(folder)))
            for name in [cluster.add(), cluster.add()]:
                cluster.ready(name)
            return cluster

        yield start


@pytest.fixture
def dask(started):
    """Return a scheduler and two workers."""
    return started()


@pytest.fixture
def here(place, dask, monkeypatch):
    """Write a module that is only here, after the Dask workers have started."""
    folder = place / "here"
    folder.mkdir()
    (folder / "only_here.py").write_text("class A: pass\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def places(run):
    """Return the Dask workers that did what a run has on record."""
    return {json.loads(record)["fit"]["worker"] for record in records(run).values()}


def processes_of(worker):
    return psutil.Process(worker.pid).children(recursive=True)


@pytest.mark.weekly
def test_a_worker_lost_and_one_added_change_no_record(ran, dask):
    pauses = [0.1 + 0.0004 * step for step in range(40)]
    suite = {"methods": [{"name": "axes", "params": {"pause": pauses}}], "seeds": 2}
    local, at_home, _ = ran(folder="local", **suite)
    assert len(local) == 80
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(ran, {"cluster": dask.address}, folder="cluster", **suite)
        cluster = at_home.path.parent / "cluster"
        until(lambda: len(places(cluster)) >= 2 or run.done())
        left = processes_of(dask.workers[0])
        dask.workers[0].send_signal(signal.SIGKILL)
        dask.add()
        frame, folder, events = run.result(120)
    assert events[0].text == f"{dask.address}: 2 Dask workers, 2 threads"
    assert len(frame) == 80
    assert results(folder.path) == results(at_home.path)
    where = {record.fit.worker for record in folder.records()}
    assert len(where) >= 2
    assert not outlived(left, 5), "its fits outlived the Dask worker"
    assert frame.contended.any(), "two Dask workers on one machine"
    assert processes_of(dask.workers[1]) == [], "the run left something in a Dask worker"


@pytest.mark.weekly
@pytest.mark.parametrize(
    ("settings", "sign", "pauses", "seeds"),
    [
        ({"WORKER_TTL": "10s"}, signal.SIGSTOP, [0.2 + 0.01 * step for step in range(20)], 2),
        ({"ALLOWED_FAILURES": "0"}, signal.SIGKILL, [0.01 + 0.0001 * step for step in range(40)], 10),
    ],
    ids=["stopped", "given up"],
)
def test_the_cells_of_a_stopped_worker_and_of_a_batch_given_up_go_elsewhere(
    ran, started, settings, sign, pauses, seeds
):
    cluster, suite = started(**settings), {"methods": [{"name": "axes", "params": {"pause": pauses}}], "seeds": seeds}
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(ran, {"cluster": cluster.address}, folder="cluster", **suite)
        until(lambda: len(records(Path("cluster"))) >= len(pauses) * seeds // 5)
        cluster.workers[0].send_signal(sign)
        frame, _, _ = run.result(240)
    assert (frame.status == "ok").all(), frame.reason[frame.status != "ok"]


@pytest.mark.nightly
def test_data_are_drawn_by_each_dask_worker_that_needs_them_and_are_the_same(ran, plugin, place, dask):
    """The second data set is another in each process that draws it, which a worker other than the first one notices."""
    code = (
        "import os\nfrom typing import Annotated\ndef load(rng, odd: Annotated[bool, FLAG] = False):\n"
        f"    open({str(place)!r} + f'/{{odd}} {{os.getpid()}}', 'w').write(os.getcwd())\n"
        "    return Dataset(X=rng.standard_normal((50, 8)) + odd * os.getpid())\n"
    )
    file = plugin("draws_where", code, "DatasetSpec(name='where', load='draws_where:load')")
    data = [{"name": "where", "label": str(odd), "params": {"odd": odd}} for odd in (False, True)]
    methods = [{"name": "axes", "params": {"pause": [0.5 + 0.01 * step for step in range(6)]}}]
    frame, _, _ = ran({"cluster": dask.address}, plugins=[file], datasets=data, methods=methods)
    assert (frame.status[frame.dataset == "False"] == "ok").all(), frame.reason
    drawn = list(place.glob("False *"))
    assert len(drawn) == 2
    assert {file.read_text() for file in drawn} == {str(place / "dask")}
    lost = frame[(frame.dataset == "True") & (frame.status != "ok")]
    assert set(lost.status) == {"crashed"}
    assert lost.reason.str.contains("its data, drawn here, are others").all()


@pytest.mark.nightly
def test_short_cells_travel_together(ran, dask, monkeypatch):
    from spcabench.run.executors.dask_cluster import DaskCluster

    sent, send = [], DaskCluster._send
    monkeypatch.setattr(DaskCluster, "_send", lambda self, cells: (sent.append(cells), send(self, cells)))
    pauses = [0.001 * step for step in range(10)]
    suite = {"methods": [{"name": "axes", "params": {"pause": pauses}}], "seeds": 16, "n_nonzero": [1, 2, 3]}
    frame, _, _ = ran({"cluster": dask.address}, folder="cluster", **suite)
    assert len(frame) == 480
    assert (frame.status == "ok").all(), frame.reason
    assert len([cells for cells in sent if isinstance(cells[0][1].task, FitTask)]) < 240


@pytest.mark.nightly
def test_statuses_are_those_of_one_machine(ran, dask):
    hoards = {"name": "axes", "label": "hoards", "params": {"mebibytes": 700, "pause": 0.5}}
    suite = {"methods": [*ODD, "missing_module", hoards], "limits": LIMITS}
    local, _, _ = ran(folder="local", **suite)
    frame, _, _ = ran({"cluster": dask.address}, folder="cluster", **suite)
    assert frame.set_index("method").status.to_dict() == local.set_index("method").status.to_dict()
    reasons = frame.set_index("method").reason
    assert "No module named 'no_such_module_here'" in reasons["missing_module"]
    assert re.search(r"on the Dask worker tcp://127.0.0.1:\d+", reasons["missing_module"])
    again, _, _ = ran({"cluster": dask.address}, folder="cluster", methods=["axes"], metrics=["cpev", "nor"])
    assert again.nor[0] == 0, "metrics are computed there too"


@pytest.mark.nightly
def test_what_a_worker_lacks_is_said_and_tried_again(ran, plugin, dask, here):
    code = "import only_here\nfrom odd_methods import Axes\nclass Needy(Axes): pass"
    file = plugin("needs_more", code, "MethodSpec(name='needy', estimator='needs_more:Needy', knob=CARDINALITY)")
    options = {"cluster": dask.address}
    frame, _, _ = ran(options, plugins=[file], methods=["needy"])
    assert frame.status[0] == "error", "its data cannot be drawn there"
    assert re.search(r"needs_more.py.*'only_here'.* \(on the Dask worker tcp://", frame.reason[0])
    dask.replace(PYTHONPATH=str(here))
    frame, _, _ = ran(options, plugins=[file], methods=["needy"])
    assert frame.status[0] == "ok", frame.reason[0]


@pytest.mark.nightly
def test_a_worker_without_the_package_is_said_and_the_exit_code_is_1(cli, suite_file, place, dask):
    blind = place / "sitecustomize.py"
    blind.write_text("import sys\nsys.modules['spcabench'] = None\n")
    dask.replace(PYTHONPATH=str(place))
    host = cli("run", suite_file(seeds=2), "-o", "out", "--cluster", dask.address)
    _, err = host.communicate(timeout=120)
    assert host.returncode == 1, err
    assert len(re.findall(r"error: in Dask: ModuleNotFoundError: .*spcabench", err)) == 2, err
    again = cli("run", suite_file(seeds=2), "-o", "out")
    _, err = again.communicate(timeout=120)
    assert again.returncode == 0, err


@pytest.mark.nightly
def test_a_worker_with_another_version_of_a_metric_is_said(ran, place, dask):
    what = "spcabench/metrics/variance.py"
    root = Path(spcabench.__file__).parents[1]
    other = place / "other"
    shutil.copytree(root / "spcabench", other / "spcabench", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / what).open("a") as file:
        file.write("\nCHANGED = True\n")
    dask.replace(PYTHONPATH=str(other))
    frame, _, _ = ran({"cluster": dask.address})
    assert frame.status[0] == "unavailable"
    said = r"^the code of spcabench\.metrics\..* is not that of the host \(on the Dask worker tcp://"
    assert re.search(said, frame.reason[0]), frame.reason[0]
    frame, _, _ = ran()
    assert frame.status[0] == "ok", "it is tried again elsewhere"


@pytest.mark.nightly
def test_fits_end_when_their_host_is_killed(cli, suite_file, place, dask):
    suite = suite_file(methods=["sleeps"], seeds=2)
    host = cli("run", suite, "-o", "out", "--cluster", dask.address)
    # a server, a fit, and what this forks
    until(lambda: all(len(processes_of(worker)) >= 3 for worker in dask.workers), host)
    begun = list((place / "dask").rglob("output.txt"))
    fits = [process for worker in dask.workers for process in processes_of(worker)]
    host.send_signal(signal.SIGKILL)
    host.communicate()
    assert fits
    assert not outlived(fits, 10), "a fit outlived its host"
    until(lambda: not any(file.exists() for file in begun), said="the files of a fit outlived its host")
    assert all(worker.poll() is None for worker in dask.workers)


@pytest.mark.nightly
def test_a_scheduler_that_goes_away_is_said_and_what_was_finished_is_kept(cli, ran, suite_file, place, dask):
    suite = {"methods": [{"name": "axes", "params": {"pause": [0.05, 0.06]}}], "seeds": 15}
    host = cli("run", suite_file(**suite), "-o", "out", "--cluster", dask.address)
    out = place / "out"
    until(lambda: len(records(out)) >= 5, host)
    dask.scheduler.kill()
    _, err = host.communicate(timeout=60)
    assert host.returncode == 2
    assert "the scheduler is gone; what was finished is kept, and running again resumes" in err
    assert "Traceback" not in err, err
    kept = records(out)
    assert 5 <= len(kept) < 30
    frame, _, _ = ran(folder="out", **suite)
    assert (frame.status == "ok").all()
    assert {key: records(out)[key] for key in kept} == kept


@pytest.mark.nightly
def test_a_scheduler_that_goes_away_with_a_result_makes_no_record_of_it(ran, dask, monkeypatch):
    from distributed import Client
    from distributed.comm import CommClosedError

    async def closed(*futures, **options):
        raise CommClosedError("in <TCP (closed)>: Stream is closed")

    with monkeypatch.context() as patch:
        patch.setattr(Client, "_gather", closed)
        with pytest.raises(InputError, match="the scheduler is gone; what was finished is kept"):
            ran({"cluster": dask.address}, seeds=2)
    frame, _, events = ran({"cluster": dask.address}, seeds=2)
    assert frame.status.tolist() == ["ok", "ok"]
    assert not any("done already" in event.text for event in events)


@pytest.mark.nightly
def test_a_scheduler_that_is_stopped_is_said(ran, dask, monkeypatch):
    monkeypatch.setattr("spcabench.run.executors.dask_cluster.ANSWER", 3.0)
    suite = {"methods": [{"name": "axes", "params": {"pause": [0.2 + 0.01 * step for step in range(20)]}}], "seeds": 3}
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(ran, {"cluster": dask.address}, folder="cluster", **suite)
        until(lambda: len(records(Path("cluster"))) >= 2)
        dask.scheduler.send_signal(signal.SIGSTOP)
        with pytest.raises(InputError, match="the scheduler is gone; what was finished is kept"):
            run.result(60)
