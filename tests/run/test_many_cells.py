"""What a run of many cells must not do: read what it has read, compare all with all, or keep what no cell needs."""

import os
import shutil
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from spcabench.run.draws import Draws
from spcabench.store import seen
from spcabench.store.files import write_bytes
from spcabench.store.inside import Inside


@pytest.fixture
def reads(monkeypatch):
    """Count the reads of each kind of file of a run's folder."""
    count = Counter()

    def counted(method):
        def read(self, name, most):
            count[name.partition("/")[0]] += 1
            return method(self, name, most)

        return read

    for name in ("read", "digest"):
        monkeypatch.setattr(Inside, name, counted(getattr(Inside, name)))
    return count


@pytest.fixture
def known(here, reads):
    """Return a finished run of three cells that its index knows."""
    here(seeds=3, methods=["axes", "raises"])
    time.sleep(2 * seen.SETTLED)
    frame, folder, _ = here(seeds=3, methods=["axes", "raises"])
    reads.clear()
    return frame, folder


def look(folder, frame):
    """Return the gists of a run as a new process sees them."""
    return list(type(folder)(folder.path).gists(list(frame.key)))


def test_what_the_index_knows_is_not_read(known, reads):
    frame, folder = known
    assert [gist.status for gist in look(folder, frame)] == list(frame.status)
    assert reads == {"seen.index": 1}


def test_a_run_with_nothing_to_do_reads_no_record(here, known, reads, monkeypatch):
    monkeypatch.setattr("spcabench.store.frame.results_frame", lambda folder, plan: None)
    here(seeds=3, methods=["axes", "raises"])
    assert (reads["records"], reads["loadings"]) == (0, 0)


@pytest.mark.parametrize("kind", ["records", "loadings"])
def test_only_what_changed_is_read(known, reads, kind):
    frame, folder = known
    file = next((folder.path / kind).glob(f"{frame.key[0]}.*"))
    write_bytes(file, file.read_bytes())
    assert [gist.status for gist in look(folder, frame)] == list(frame.status)
    assert (reads["records"], reads["loadings"]) == (1, 1)


@pytest.mark.parametrize("kind", ["records", "loadings"])
def test_a_file_damaged_with_its_times_restored_counts_as_none(known, kind):
    frame, folder = known
    file = next((folder.path / kind).glob(f"{frame.key[0]}.*"))
    content, times = bytearray(file.read_bytes()), file.stat()
    content[-5] ^= 1
    with file.open("r+b") as opened:
        opened.write(content)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    assert look(folder, frame)[0] is None
    assert look(folder, frame)[1].status == frame.status[1]


def test_an_index_from_elsewhere_says_nothing(known, reads):
    """A copy has the same names, sizes and times of writing; its index claims, under its checksum, what is not so."""
    frame, folder = known
    index = seen.Seen(Inside(folder.path))
    entries = index._kept
    lies = tuple(kind._replace(status="ok") for kind in entries.kinds)
    Inside(folder.path).write(seen.NAME, replace(entries, kinds=lies).dumps())
    assert {gist.status for gist in look(folder, frame)} == {"ok"}, "here it is believed"
    shutil.copytree(folder.path, "elsewhere")
    reads.clear()
    assert [gist.status for gist in look(type(folder)(Path("elsewhere")), frame)] == list(frame.status)
    assert reads["records"] == 6


@pytest.mark.parametrize(
    "damage", [lambda text: b"", lambda text: text[:200], lambda text: text.replace(b"error", b"erros"), None]
)
def test_a_damaged_index_is_made_anew(here, known, reads, damage):
    frame, folder = known
    file = folder.path / seen.NAME
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes()))
    assert [gist.status for gist in look(folder, frame)] == list(frame.status)
    assert reads["records"] == 6
    here(seeds=3, methods=["axes", "raises"])
    reads.clear()
    look(folder, frame)
    assert reads == {"seen.index": 1}


def test_data_is_drawn_when_a_cell_needs_it_and_dropped_after_the_last(here, monkeypatch):
    kept, begin = [], Draws.begin

    def look(self, draw):
        kept.append(sum(getattr(known, "place", None) is not None for known in self._known.values()))
        begin(self, draw)

    monkeypatch.setattr(Draws, "begin", look)
    frame, _, events = here(seeds=5, methods=["axes", "warns"], repeats=2)
    assert (frame.status == "ok").all()
    assert kept == [0, 1, 2, 3, 4], "in the second repeat each is needed again"
    kept.clear()
    frame, _, events = here(seeds=5, methods=["axes", "warns"], folder="once")
    assert (frame.status == "ok").all()
    assert max(kept) == 0
    drawn = [event.text.startswith("drawing") for event in events]
    assert drawn == [True, False, False] * 5


def test_a_resumed_run_draws_what_it_needs_alone(here):
    here(seeds=4)
    _, folder, events = here(seeds=4)
    assert not any("drawing" in event.text for event in events)
    for file in sorted((folder.path / "records").iterdir())[:1]:
        file.unlink()
    frame, _, events = here(seeds=4)
    assert sum("drawing" in event.text for event in events) == 1
    assert (frame.status == "ok").all()
