"""A disk that is full or read-only: a clear message, nothing finished is lost, and running again resumes."""

import os
import subprocess

import pytest
from after_runs import records, statuses

from spcabench.store.database import Database
from spcabench.wording import InputError

CELLS = {"methods": ["axes", "warns"], "seeds": 6}


@pytest.fixture
def small_disk(place):
    """Mount a disk of 900 KiB as the folder ``disk``."""
    disk = place / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=900k", "spcabench", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk takes root")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def fill(disk, free):
    """Leave so many bytes free."""
    space = os.statvfs(disk)
    file = disk / "ballast"
    file.write_bytes(bytes(space.f_bavail * space.f_frsize - free))
    return file


@pytest.mark.parametrize("free", [0, 12, 30, 60])
@pytest.mark.nightly
def test_a_full_disk_is_said_and_costs_nothing_that_was_finished(ran, small_disk, free):
    ballast = fill(small_disk, free * 1024)
    with pytest.raises(InputError, match="No space left"):
        ran(folder=small_disk / "out", **CELLS)
    assert set(statuses(small_disk / "out")) <= {"ok"}, "the disk's fault was taken for a method's"
    before = records(small_disk / "out")
    ballast.unlink()
    frame, _, _ = ran(folder=small_disk / "out", **CELLS)
    assert (frame.status == "ok").all()
    now = records(small_disk / "out")
    assert {key: now[key] for key in before} == before, "a finished cell was fitted again"


@pytest.mark.nightly
def test_a_disk_that_becomes_read_only_is_said(ran, small_disk):
    ran(folder=small_disk / "out", methods=["axes"])
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(InputError, match=r"out: cannot be written: Read-only"):
        ran(folder=small_disk / "out", **CELLS)
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    frame, _, _ = ran(folder=small_disk / "out", **CELLS)
    assert (frame.status == "ok").all()


def test_a_write_that_fails_is_said_and_costs_nothing_that_was_finished(ran, monkeypatch):
    write, left = Database.write, iter(range(8))

    def fails(self, *statements):
        if "records" in str(statements) and next(left, None) is None:
            list(self.rows("PRAGMA max_page_count = 1"))  # as on a full disk
        write(self, *statements)

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", fails)
        with pytest.raises(InputError, match=r"run\.sqlite: .*No space left on device; what was finished is kept"):
            ran({"isolation": False}, **CELLS)
    frame, _, events = ran({"isolation": False}, **CELLS)
    assert (frame.status == "ok").all()
    assert any("cells are done already" in event.text for event in events)
