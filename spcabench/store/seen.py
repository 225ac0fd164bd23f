"""An index of a run's records: what was read of them, for as long as their files are the very ones that were read.

The files are the truth.  An entry holds for a file of the same inode, size, time of writing and time of change.  The
last of these is set by the system and by nobody else, so an entry that came with a folder from elsewhere, or whose file
was replaced, edited or restored, fits no file here and is as if it were not there.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Collection
from dataclasses import dataclass, field

from spcabench.store.gist import Gist
from spcabench.store.inside import Damaged, Inside

NAME = "seen.index"
MOST_BYTES = 2**30
"""Bytes that the index may have; it has about 200 a cell."""
SETTLED = 0.1
"""Seconds after its last change from which on a file's times show the next change: they advance in steps."""
FEW = 50
"""Keys whose files are looked at one by one."""
_HEAD = re.compile(rb"spcabench index 1 ([0-9a-f]{64})\n")
_LINE = re.compile(r"([\w-]{1,80}) (\d+:\d+:\d+:\d{1,20}) (-|\d+:\d+:\d+:\d{1,20}) (\[.*\])")


@dataclass(slots=True)
class _Entry:
    """What was read of a record: the stamps of its files, and its gist as text."""

    record: str
    loadings: str
    gist: str


@dataclass(frozen=True)
class Stamps:
    """The stamps of files of records and loadings, by name, as they are now."""

    records: dict[str, str]
    loadings: dict[str, str]


@dataclass
class Seen:
    """The index of a run's folder, read when it is first asked.

    Parameters
    ----------
    inside : Inside
        The run's folder.
    """

    inside: Inside
    _entries: dict[str, _Entry] | None = None
    _whole: dict[str, str] = field(default_factory=dict)
    _changed: bool = False

    def now(self, keys: Collection[str]) -> Stamps:
        """Look at the files of these keys, and read none; for many, a look at whole folders takes less time."""
        if len(keys) > FEW:
            return Stamps(self.inside.stamps("records"), self.inside.stamps("loadings"))
        records = {f"{key}.json": self.inside.stamp(f"records/{key}.json") for key in keys}
        return Stamps(records, {f"{key}.npz": self.inside.stamp(f"loadings/{key}.npz") for key in keys})

    def gist(self, key: str, now: Stamps) -> Gist | None:
        """Return the gist of a record if its files, and those of its loadings, are the very ones that were read."""
        entry = self._kept.get(key)
        if entry is None or entry.record != now.records.get(f"{key}.json"):
            return None
        if entry.loadings and entry.loadings != now.loadings.get(f"{key}.npz"):
            return None
        return Gist.loads(entry.gist)

    def saw_loadings(self, key: str, stamp: str) -> None:
        """Note that loadings with this stamp are whole."""
        self._whole[key] = stamp

    def saw(self, key: str, stamp: str, gist: Gist) -> None:
        """Note the gist of a record whose file has this stamp; its loadings are those that were last seen whole."""
        before = self._kept.get(key)
        loadings = self._whole.pop(key, before.loadings if before else "") if gist.finished else ""
        if stamp and bool(loadings) == gist.finished:
            self._kept[key] = _Entry(stamp, loadings, gist.dumps())
            self._changed = True

    def keep(self) -> None:
        """Write the index if there is anything new; a file that changed a moment ago is left for the next time."""
        if not self._changed:
            return
        latest = time.time_ns() - int(SETTLED * 1e9)
        there = self.inside.stamps("records")
        lines = [
            f"{key} {entry.record} {entry.loadings or '-'} {entry.gist}\n"
            for key, entry in self._kept.items()
            if there.get(f"{key}.json") == entry.record
            and max(_changed_at(entry.record), _changed_at(entry.loadings)) < latest
        ]
        text = "".join(lines).encode()
        self.inside.write(NAME, b"spcabench index 1 " + _digest(text) + b"\n" + text)
        self._changed = False

    def forget(self) -> None:
        """Remove it."""
        self.inside.remove(NAME)
        self._entries = {}

    @property
    def _kept(self) -> dict[str, _Entry]:
        if self._entries is None:
            self._entries = self._read()
        return self._entries

    def _read(self) -> dict[str, _Entry]:
        """Return the entries that were kept; none if the file is not there or not as it was written."""
        try:
            content = self.inside.read(NAME, MOST_BYTES)
        except (OSError, Damaged):
            return {}
        head = _HEAD.match(content)
        if head is None or _digest(content[head.end() :]) != head[1]:
            return {}
        lines = map(_LINE.fullmatch, content[head.end() :].decode("ascii", "replace").splitlines())
        return {line[1]: _Entry(line[2], line[3].strip("-"), line[4]) for line in lines if line}


def _changed_at(stamp: str) -> int:
    """Return when a file last changed, in nanoseconds since 1970."""
    return int(stamp.rpartition(":")[2]) if stamp else 0


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()
