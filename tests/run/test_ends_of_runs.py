"""How a run ends, and what it leaves: killed, interrupted, refused, done."""

import shutil
import signal
from pathlib import Path

import psutil
import pytest
from after_runs import outlived, records, statuses, until

from spcabench.store.folder import RunFolder
from spcabench.wording import InputError


def test_two_hosts_do_not_share_a_folder(here):
    folder = RunFolder(Path("out"))
    folder.make()
    with folder.held(), pytest.raises(InputError, match=r"held by another run \(process"):
        here()
    assert folder.holder() == ""
    here()


def test_a_folder_that_cannot_be_written_is_said(here, place):
    (place / "file").write_text("")
    with pytest.raises(InputError, match="file/out: cannot be written: Not a directory"):
        here(folder="file/out")


def test_a_killed_run_resumes(cli, verb, suite_file, place, monkeypatch):
    """Once, at a moment when a fit is under way and others are finished; the nightly set kills at many moments."""
    suite = suite_file(methods=[{"name": "axes", "params": {"pause": [0.1, 0.4]}}], seeds=2)
    log, out = place / "log.txt", place / "out"
    host = cli("run", suite, "-o", "out", ODD_LOG=str(log))
    until(lambda: len(records(out)) >= 2, host)
    family = psutil.Process(host.pid).children(recursive=True)
    host.send_signal(signal.SIGKILL)
    host.communicate()
    assert not outlived(family, 5), "a worker or the server outlived the host"
    kept = records(out)
    fitted = len(log.read_text().split())
    monkeypatch.setenv("ODD_LOG", str(log))
    assert verb("run", suite, "-o", "out", "--no-isolation")[0] == 0
    assert 2 <= len(kept) < 4
    assert {key: records(out)[key] for key in kept} == kept, "a finished cell was fitted again"
    assert len(log.read_text().split()) - fitted == 4 - len(kept)
    assert statuses(out) == ["ok"] * 4
    assert not list(out.glob("run.sqlite-*")), "a run that has ended is one file"


def test_ctrl_c_leaves_a_valid_run(cli, verb, suite_file, place):
    suite = suite_file(methods=[{"name": "axes", "params": {"pause": 0.3}}], seeds=6)
    host = cli("run", suite, "-o", "out")
    until(lambda: records(place / "out"), host)
    host.send_signal(signal.SIGINT)
    _, err = host.communicate(timeout=20)
    assert host.returncode == 130
    assert "running again resumes" in err
    assert "Traceback" not in err
    assert {"ok"} <= set(statuses(place / "out")) <= {"ok", "interrupted"}
    shown = verb("status", "out")[1]
    assert "pending" in shown
    assert "it was killed" not in shown
    assert verb("run", suite, "-o", "out", "--no-isolation")[0] == 0


@pytest.mark.nightly
def test_what_is_no_error_returns_0_and_its_report_can_be_made_again(verb, suite_file, place):
    suite = suite_file(methods=["axes", "needs_labels", "missing_module", "unconverged"], report={})
    assert verb("run", suite, "-o", "out", "--no-isolation")[0] == 0
    page = (place / "out" / "report.md").read_text()
    shutil.rmtree(place / "out" / "figures")
    (place / "out" / "report.md").unlink()
    assert verb("report", "out")[0] == 0
    assert (place / "out" / "report.md").read_text() == page


@pytest.mark.nightly
def test_what_a_suite_no_longer_plans_can_be_removed(verb, here, place):
    here(seeds=3)
    here(seeds=1)
    _, listed, _ = verb("status", "out", "--clean")
    assert "2 records to remove; --yes removes them" in listed
    assert len(records(place / "out")) == 3
    _, cleaned, _ = verb("status", "out", "--clean", "--yes")
    assert "2 records removed" in cleaned
    assert listed.splitlines()[:-1] == cleaned.splitlines()[:-1]
    assert len(records(place / "out")) == 1
