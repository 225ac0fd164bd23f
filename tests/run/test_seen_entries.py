"""The columns of the index of a run: the entries that went in come out, and columns that do not fit are refused."""

from dataclasses import replace

import numpy as np
import pytest

from spcabench.store.gist import Gist
from spcabench.store.inside import NO_FILE, Damaged
from spcabench.store.seen_entries import Entries, Entry, read_texts

ENTRIES = {
    "a": Entry((-1, 5), (2, 6), Gist("ok", same="s" * 20, scored="m", fit_time=(0.1, 0.2), search_time=0.5)),
    "bc": Entry((3, 7), NO_FILE, Gist("timeout", "über 8 s", time_limit=8.0)),
    "d": Entry((4, 8), (5, 9), Gist("ok", same="t" * 20, scored="m", fit_time=(0.3,), traced=True)),
}
LATER = {
    "e": Entry((6, 10), NO_FILE, Gist("timeout", "über 8 s", worker=True, time_limit=8.0)),
    "f": Entry((7, 11), (8, 12), Gist("ok", same="s" * 20, scored="m", fit_time=(0.4, 0.5, 0.6), search_time=0.5)),
}


def columns(entries):
    return Entries.of(entries.items())


def read(entries):
    """Return the gists by their keys, and the stamps."""
    rows = np.arange(len(entries.keys))
    return dict(zip(read_texts(entries.keys), entries.gists(rows), strict=True)), entries.records.tolist()


def test_they_are_read_as_they_were_written():
    gists, records = read(Entries.loads(columns(ENTRIES).dumps()))
    assert gists == {key: entry.gist for key, entry in ENTRIES.items()}
    assert records == [list(entry.record) for entry in ENTRIES.values()]
    assert len(Entries.loads(columns({}).dumps()).keys) == 0


def test_some_of_them_and_others_are_those():
    kept = columns(ENTRIES).take(np.array([False, True, True])).plus(columns(LATER))
    gists, records = read(kept)
    left = {key: entry for key, entry in (ENTRIES | LATER).items() if key != "a"}
    assert gists == {key: entry.gist for key, entry in left.items()}
    assert records == [list(entry.record) for entry in left.values()]
    assert [one.status for one in kept.gists(np.array([3, 0]))] == ["ok", "timeout"]


@pytest.mark.parametrize(
    "change",
    [
        {"kind": np.array([0, 1, 3])},
        {"kind": np.array([0, 1, -1])},
        {"bounds": np.array([0, 2, 1, 3])},
        {"bounds": np.array([0, 2, 2, 4])},
        {"records": np.zeros((2, 2), dtype=np.int64)},
        {"search_time": np.zeros(3, dtype=np.float32)},
        {"kinds": ()},
    ],
    ids=lambda change: next(iter(change)),
)
def test_columns_that_do_not_fit_are_refused(change):
    assert Entries.loads(columns(ENTRIES).dumps())
    with pytest.raises(Damaged):
        Entries.loads(replace(columns(ENTRIES), **change).dumps())


def test_what_is_no_index_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", components=np.eye(2))
    with pytest.raises(Damaged):
        Entries.loads((tmp_path / "other.npz").read_bytes())
