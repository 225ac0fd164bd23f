"""What a worker prints: of a long output the end is kept, and no word of it is lost."""

import os
import sys

import pytest

from spcabench.run.executors import watch
from spcabench.run.executors.contract import Limits
from spcabench.run.executors.phases import Phases
from spcabench.run.messages import OUTPUT


@pytest.fixture
def watched(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "MOST_OUTPUT", 2**16)
    limits = Limits(time=60.0, memory=1.0)
    return watch.Watch(tmp_path, limits, Phases({"prepare": 60.0}, 0.0), 0.0)


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels free no part of a file")
def test_what_is_written_while_the_start_is_dropped_is_kept(watched, monkeypatch):
    file = watched.folder / OUTPUT
    file.write_bytes(b"word " * 100_000)
    before = file.stat()
    cut = watch.free_start

    def late_word(*args):
        with file.open("ab") as stream:
            stream.write(b"the last word\n")
        return cut(*args)

    monkeypatch.setattr(watch, "free_start", late_word)
    watched._hold_output()
    assert watched.output.endswith("word the last word\n")
    assert len(watched.output) == watch.KEPT_OUTPUT
    assert file.stat().st_blocks < before.st_blocks / 4


def test_where_no_part_of_a_file_can_be_freed_it_is_cut(watched, monkeypatch):
    file = watched.folder / OUTPUT
    file.write_bytes(b"word " * 100_000)
    monkeypatch.setattr(watch, "free_start", lambda file, n_bytes: False)
    watched._hold_output()
    assert os.path.getsize(file) == 0
    with file.open("ab") as stream:
        stream.write(b"the last word\n")
    assert watched.output.endswith("word the last word\n")
