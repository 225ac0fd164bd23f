"""What is on the disk: settled at the end of a run, never half written, read back as it was."""

import ctypes
import errno
import json
import math
import os
import sys

import numpy as np
import pytest

from spcabench.store import files
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record, Timing
from spcabench.wording import Unwritable


class Disk:
    """The C library with a `syncfs` that keeps account of which folders it was called for."""

    def __init__(self, fault=0):
        self.fault = fault
        self.settled = []

    def syncfs(self, handle):
        self.settled.append(os.fstat(handle).st_ino)
        ctypes.set_errno(self.fault)
        return -1 if self.fault else 0


linux = pytest.mark.skipif(sys.platform != "linux", reason="syncfs is Linux's")


@linux
def test_the_folder_of_a_run_is_settled_after_its_last_record(ran, monkeypatch):
    disk = Disk()
    written = []
    save = RunFolder.save
    monkeypatch.setattr(files, "_LIBC", disk)
    monkeypatch.setattr(RunFolder, "save", lambda self, record: (save(self, record), written.append(len(disk.settled))))
    _, folder, _ = ran({"isolation": False}, methods=["axes"], seeds=2)
    assert len(written) == 2
    assert len(disk.settled) > max(written)
    assert disk.settled[-1] == folder.path.stat().st_ino


@linux
def test_a_disk_that_cannot_settle_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_LIBC", Disk(errno.EIO))
    with pytest.raises(Unwritable, match=os.strerror(errno.EIO)):
        files.settle(tmp_path)


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    file = files.write_bytes(tmp_path / "a" / "record.json", b"old")
    with file.open("rb") as reader:
        files.write_bytes(file, b"new")
        assert reader.read() == b"old", "who reads the file while it is written sees the old one, whole"
    assert file.read_bytes() == b"new"
    assert [entry.name for entry in file.parent.iterdir()] == ["record.json"]


def test_numbers_that_are_not_finite_are_read_back(tmp_path):
    metrics = {"a": math.inf, "b": -math.inf, "c": math.nan, "d": 0.1}
    read = Record.of(json.loads(Record(key="k", cell={}, status="error", metrics=metrics).dumps())).metrics
    assert (read["a"], read["b"], read["d"]) == (math.inf, -math.inf, 0.1)
    assert math.isnan(read["c"])


def test_torn_loadings_are_none(tmp_path):
    folder = RunFolder(tmp_path)
    folder.make()
    np.savez(tmp_path / "left.npz", components=np.eye(2, 40), mean=np.zeros(40))
    timing = Timing(fit_time=(1.0,), search_time=(0.0,), n_fits=(0.0,))
    record = Record(key="key", cell={}, status="ok", timing=timing)
    record = folder.adopt_loadings(record, tmp_path / "left.npz")
    folder.save(record)
    assert folder.kept("key") == record
    assert not folder.damages
    file = folder.loadings_file("key")
    content = file.read_bytes()
    for torn in (content[: len(content) // 2], bytes(len(content)), b""):
        file.write_bytes(torn)
        assert folder.loadings("key") is folder.kept("key") is None
    assert len(folder.damages) == 1
