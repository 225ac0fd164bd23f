"""A disk that is full or read-only: a clear message, nothing finished is lost, and running again resumes."""

import errno
import json
import os
import subprocess

import pytest

from spcabench.wording import InputError

CELLS = {"methods": ["axes", "warns"], "seeds": 6}


@pytest.fixture
def small_disk(place):
    """Mount a disk of 600 KiB as the folder ``disk``."""
    disk = place / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "spcabench", disk], capture_output=True)
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


def statuses(folder):
    return {json.loads(file.read_text())["status"] for file in (folder / "records").glob("*.json")}


@pytest.mark.parametrize("free", [0, 12, 30, 60])
@pytest.mark.nightly
def test_a_full_disk_is_said_and_costs_nothing_that_was_finished(ran, small_disk, free):
    ballast = fill(small_disk, free * 1024)
    with pytest.raises(InputError, match=r"No space left|cannot write"):
        ran(folder=small_disk / "out", **CELLS)
    assert statuses(small_disk / "out") <= {"ok"}, "the disk's fault was taken for a method's"
    before = {file: file.stat().st_mtime_ns for file in (small_disk / "out" / "records").glob("*.json")}
    ballast.unlink()
    frame, _, _ = ran(folder=small_disk / "out", **CELLS)
    assert (frame.status == "ok").all()
    assert all(file.stat().st_mtime_ns == time for file, time in before.items()), "a finished cell was fitted again"


@pytest.mark.nightly
def test_a_disk_that_becomes_read_only_is_said(ran, small_disk):
    ran(folder=small_disk / "out", methods=["axes"])
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(InputError, match=r"cannot write to the run's folder .*Read-only"):
        ran(folder=small_disk / "out", **CELLS)
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    frame, _, _ = ran(folder=small_disk / "out", **CELLS)
    assert (frame.status == "ok").all()


@pytest.mark.parametrize(
    ("what", "isolation"),
    [("records", True), ("loadings", False), ("index.json", False), ("draws", False), (".work", False)],
)
def test_a_write_that_fails_names_the_file_and_the_reason(ran, monkeypatch, what, isolation):
    replace, allowed = os.replace, iter([True] * 2)

    def fails(source, target, **options):
        folder = options.get("dst_dir_fd")
        place = os.readlink(f"/proc/self/fd/{folder}") if folder else ""
        if what in f"{place}/{target}" and not (what == "records" and next(allowed, False)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return replace(source, target, **options)

    options = {"isolation": isolation}
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fails)
        with pytest.raises(InputError, match=f"{what}.*No space left on device; what was finished is kept") as caught:
            ran(options=options, **CELLS)
    assert caught.value.faults[0].where
    frame, folder, events = ran(options=options, **CELLS)
    assert (frame.status == "ok").all()
    assert not list(folder.path.rglob("*.part"))
    if what == "records":
        assert "2 of 12 cells are done already" in events[0].text


@pytest.mark.nightly
def test_the_program_says_it_without_a_traceback(cli, suite_file, small_disk):
    fill(small_disk, 30 * 1024)
    host = cli("run", suite_file(**CELLS), "-o", small_disk / "out")
    _, err = host.communicate(timeout=60)
    assert host.returncode == 2, err
    assert "No space left on device; what was finished is kept, and running again resumes" in err
    assert "Traceback" not in err
