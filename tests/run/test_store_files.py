"""Files are written all or nothing, and the disk is asked to keep them."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import tempfile

import pytest

from spcabench.store import files
from spcabench.store.files import new_folder, settle, write_bytes
from spcabench.wording import Unwritable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="syncfs is Linux's")


class Library:
    """The C library, which notes what is synced; or fails with an error of its own."""

    def __init__(self, error=0):
        self.error = error
        self.synced = []

    def syncfs(self, handle):
        self.synced.append(os.fstat(handle))
        if self.error:
            ctypes.set_errno(self.error)
            return -1
        return ctypes.CDLL(None, use_errno=True).syncfs(handle)


@pytest.fixture
def library(monkeypatch):
    """Put a C library in the place of the real one."""

    def put(error=0):
        library = Library(error)
        monkeypatch.setattr(files, "_LIBC", library)
        return library

    return put


def test_the_disk_of_the_folder_is_synced(tmp_path, library):
    noted = library()
    settle(tmp_path)
    assert [os.path.samestat(status, tmp_path.stat()) for status in noted.synced] == [True]


def test_a_disk_that_fails_to_sync_is_said(tmp_path, library):
    library(errno.EIO)
    with pytest.raises(Unwritable, match="Input/output error"):
        settle(tmp_path)


def name_of(source, target, dst_dir_fd=None, **others):
    """Name a file that is put in its place, from where its folder is open or from here."""
    return os.path.join(os.readlink(f"/proc/self/fd/{dst_dir_fd}") if dst_dir_fd else "", target)


def test_a_run_has_the_disk_keep_its_last_record(ran, library, monkeypatch):
    order = []
    noted = library()
    monkeypatch.setattr(noted, "syncfs", lambda handle: order.append("synced") or 0)
    saved = os.replace
    monkeypatch.setattr(
        os, "replace", lambda *paths, **where: order.append(name_of(*paths, **where)) or saved(*paths, **where)
    )
    ran(options={"isolation": False}, seeds=2)
    last = max(place for place, what in enumerate(order) if "/records/" in what)
    assert "synced" in order[last:]


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    file = write_bytes(tmp_path / "a" / "b.json", b"before")

    def full(source, target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(Unwritable, match="No space left"):
            write_bytes(file, b"after")
    assert file.read_bytes() == b"before"
    assert list(file.parent.iterdir()) == [file]


def test_a_new_folder_is_made_although_its_place_is_removed_meanwhile(tmp_path, monkeypatch):
    make, left = tempfile.mkdtemp, [True, True, False]

    def removed_first(dir, prefix):
        if left.pop(0):
            dir.rmdir()
        return make(dir=dir, prefix=prefix)

    monkeypatch.setattr(tempfile, "mkdtemp", removed_first)
    assert new_folder(tmp_path / "place").is_dir()
    assert left == []


def test_a_place_that_is_removed_time_and_again_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "mkdtemp", lambda dir, prefix: dir.joinpath("gone", "one").mkdir())
    with pytest.raises(Unwritable, match="No such file"):
        new_folder(tmp_path / "place")
