"""An index of a run's records: what was read of them, for as long as their files are the very ones that were read.

The files are the truth.  An entry holds for a file of the same inode, size, time of writing and time of change.  The
last of these is set by the system and by nobody else, so an entry that came with a folder from elsewhere, or whose file
was replaced, edited or restored, fits no file here and is as if it were not there.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from spcabench.store.arrays import MOST_BYTES
from spcabench.store.gist import Gist
from spcabench.store.inside import NO_FILE, Damaged, Inside, Stamp, stamp_of
from spcabench.store.seen_entries import Entries, Entry, Rows, read_texts

NAME = "seen.index"
SETTLED = 0.1
"""Seconds after its last change from which on a file's times show the next change: they advance in steps."""
_UNKNOWN = -1
"""The row of what the index does not have."""


@dataclass(frozen=True)
class Looked:
    """What the index knows of the files of some keys, as they are now.

    Parameters
    ----------
    rows : ndarray of int64, shape (n,)
        The rows of their entries, where a record, and its loadings if there are any, are the very files that were
        read; else -1.
    records, loadings : ndarray of int64, shape (n, 2)
        The stamps of their files.
    """

    rows: Rows
    records: NDArray[np.int64]
    loadings: NDArray[np.int64]

    @property
    def same(self) -> list[bool]:
        """Whether the files of each are the very ones that were read."""
        same: list[bool] = (self.rows != _UNKNOWN).tolist()
        return same


@dataclass
class Seen:
    """The index of a run's folder, read when it is first asked.

    Parameters
    ----------
    inside : Inside
        The run's folder.
    """

    inside: Inside
    _entries: Entries | None = None
    _rows: dict[str, int] = field(default_factory=dict)
    _whole: dict[str, Stamp] = field(default_factory=dict)
    _new: dict[str, Entry] = field(default_factory=dict)

    def look(self, keys: Collection[str]) -> Looked:
        """Look at the files of these keys, and read none."""
        entries = self._kept
        records = self.inside.stamps("records", (f"{key}.json" for key in keys))
        loadings = self.inside.stamps("loadings", (f"{key}.npz" for key in keys))
        rows = np.fromiter(map(self._rows.get, keys, repeat(_UNKNOWN)), np.int64, len(keys))
        known = np.flatnonzero(rows != _UNKNOWN)
        wanted = entries.loadings[rows[known]]
        same = _equal(entries.records[rows[known]], records[known])
        same &= _equal(wanted, loadings[known]) | _equal(wanted, NO_FILE)
        rows[known[~same]] = _UNKNOWN
        return Looked(rows, records, loadings)

    def gists(self, looked: Looked) -> Iterator[Gist | None]:
        """Yield the gist of each key that was asked for; None where the index does not know its files."""
        known = self._kept.gists(looked.rows[looked.rows != _UNKNOWN])
        for same in looked.same:
            yield next(known) if same else None

    def saw_loadings(self, key: str, stamp: Stamp) -> None:
        """Note that loadings with this stamp are whole."""
        self._whole[key] = stamp

    def saw(self, key: str, stamp: Stamp, gist: Gist) -> None:
        """Note the gist of a record whose file has this stamp; its loadings are those that were last seen whole."""
        loadings = self._whole.pop(key, self._loadings_before(key)) if gist.finished else NO_FILE
        if stamp != NO_FILE and (loadings != NO_FILE) == gist.finished:
            self._new[key] = Entry(stamp, loadings, gist)

    def _loadings_before(self, key: str) -> Stamp:
        if key in self._new:
            return self._new[key].loadings
        entries, row = self._kept, self._rows.get(key, _UNKNOWN)
        return NO_FILE if row == _UNKNOWN else stamp_of(entries.loadings[row])

    def keep(self) -> None:
        """Write the index if there is anything new; a file that changed a moment ago is left for the next time."""
        latest = time.time_ns() - int(SETTLED * 1e9)
        settled = {key: entry for key, entry in self._new.items() if entry.changed < latest}
        if not settled:
            return
        there, old = set(self.inside.names("records")), self._kept
        kept = [key not in self._new and f"{key}.json" in there for key in read_texts(old.keys)]
        added = Entries.of((key, entry) for key, entry in settled.items() if f"{key}.json" in there)
        self._take(old.take(np.array(kept, dtype=bool)).plus(added))
        self.inside.write(NAME, self._kept.dumps())
        self._new = {key: entry for key, entry in self._new.items() if key not in settled}

    def forget(self) -> None:
        """Remove it."""
        self.inside.remove(NAME)
        self._take(Entries.of(()))
        self._new.clear()

    @property
    def _kept(self) -> Entries:
        if self._entries is None:
            self._take(self._read())
        assert self._entries is not None
        return self._entries

    def _take(self, entries: Entries) -> None:
        self._entries = entries
        self._rows = {key: row for row, key in enumerate(read_texts(entries.keys))}

    def _read(self) -> Entries:
        """Return the entries that were kept; none if the file is not there or not as it was written."""
        try:
            return Entries.loads(self.inside.read(NAME, MOST_BYTES))
        except (OSError, Damaged):
            return Entries.of(())


def _equal(stamps: NDArray[np.int64], others: NDArray[np.int64] | Stamp) -> NDArray[np.bool_]:
    return np.asarray((stamps == others).all(axis=1))
