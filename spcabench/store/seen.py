"""An index of a run's records: what was read of them, for as long as their files are the very ones that were read.

The files are the truth.  An entry holds for a file of the same inode, size, time of writing and time of change.  The
last of these is set by the system and by nobody else, so an entry that came with a folder from elsewhere, or whose file
was replaced, edited or restored, fits no file here and is as if it were not there.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from io import BytesIO

from spcabench.store.gist import Gist
from spcabench.store.inside import Damaged, Inside

NAME = "seen.index"
MOST_BYTES = 2**30
"""Bytes that the index may have; it has about 250 a cell."""
SETTLED = 0.1
"""Seconds after its last change from which on a file's times show the next change: they advance in steps."""
FEW = 50
"""Keys whose files are looked at one by one."""
_HEAD = re.compile(rb"spcabench index 1 ([0-9a-f]{64})\n")
_NO_LOADINGS = "-"


@dataclass(frozen=True)
class Looked:
    """What the index knows of the files as they are now.

    Parameters
    ----------
    same : set of str
        The keys whose record, and loadings if there are any, are the very files that were read.
    records, loadings : dict of str to str
        The stamps of the other files, by key.
    """

    same: set[str]
    records: dict[str, str]
    loadings: dict[str, str]


@dataclass
class Seen:
    """The index of a run's folder, read when it is first asked.

    An entry is a text: the stamps of a record and of its loadings, and the gist.

    Parameters
    ----------
    inside : Inside
        The run's folder.
    """

    inside: Inside
    _entries: dict[str, str] | None = None
    _whole: dict[str, str] = field(default_factory=dict)
    _new: set[str] = field(default_factory=set)

    def look(self, keys: Collection[str]) -> Looked:
        """Look at the files of these keys, and read none; for many, a look at whole folders takes less time."""
        same, records, loadings, awaiting = set[str](), dict[str, str](), dict[str, str](), set[str]()
        entries = self._kept
        for key, stamp in self._stamps("records", ".json", keys):
            entry = entries.get(key, "")
            if not entry.startswith(stamp + " "):
                records[key] = stamp
            elif entry.startswith(_NO_LOADINGS, len(stamp) + 1):
                same.add(key)
            else:
                awaiting.add(key)
        for key, stamp in self._stamps("loadings", ".npz", keys):
            if key in awaiting and entries[key].startswith(stamp + " ", entries[key].index(" ") + 1):
                awaiting.remove(key)
                same.add(key)
            else:
                loadings[key] = stamp
        records |= {key: entries[key].partition(" ")[0] for key in awaiting}
        return Looked(same, records, loadings)

    def _stamps(self, kind: str, ending: str, keys: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the key and the stamp of each file of a kind."""
        if len(keys) <= FEW:
            found = ((key, self.inside.stamp(f"{kind}/{key}{ending}")) for key in keys)
            yield from ((key, stamp) for key, stamp in found if stamp)
            return
        cut = -len(ending)
        for name, stamp in self.inside.stamps(kind):
            if name.endswith(ending):
                yield name[:cut], stamp

    def gist(self, key: str) -> Gist | None:
        """Return the gist of a record whose files are the same; None if its entry is no such."""
        entry = self._kept[key]
        try:
            return Gist.loads(entry, entry.index(" ", entry.index(" ") + 1) + 1)
        except (TypeError, ValueError):  # under a checksum that somebody else wrote
            return None

    def saw_loadings(self, key: str, stamp: str) -> None:
        """Note that loadings with this stamp are whole."""
        self._whole[key] = stamp

    def saw(self, key: str, stamp: str, gist: Gist) -> None:
        """Note the gist of a record whose file has this stamp; its loadings are those that were last seen whole."""
        before = self._kept.get(key, "").split(" ", 2)[1:2]
        loadings = self._whole.pop(key, "".join(before).strip(_NO_LOADINGS)) if gist.finished else ""
        if stamp and bool(loadings) == gist.finished:
            self._kept[key] = f"{stamp} {loadings or _NO_LOADINGS} {gist.dumps()}"
            self._new.add(key)

    def keep(self) -> None:
        """Write the index if there is anything new; a file that changed a moment ago is left for the next time."""
        if not self._new:
            return
        latest = time.time_ns() - int(SETTLED * 1e9)
        there = set(self.inside.names("records"))
        unsettled = {key for key in self._new if _changed_at(self._kept[key]) >= latest}
        lines = [
            f"{key} {entry}\n" for key, entry in self._kept.items() if key not in unsettled and f"{key}.json" in there
        ]
        text = "".join(lines).encode()
        self.inside.write(NAME, b"spcabench index 1 " + _digest(text) + b"\n" + text)
        self._new.clear()

    def forget(self) -> None:
        """Remove it."""
        self.inside.remove(NAME)
        self._entries = {}
        self._new.clear()

    @property
    def _kept(self) -> dict[str, str]:
        if self._entries is None:
            self._entries = self._read()
        return self._entries

    def _read(self) -> dict[str, str]:
        """Return the entries that were kept; none if the file is not there or not as it was written."""
        try:
            content = self.inside.read(NAME, MOST_BYTES)
        except (OSError, Damaged):
            return {}
        head = _HEAD.match(content)
        if head is None or _digest(memoryview(content)[head.end() :]) != head[1]:
            return {}
        entries, lines = {}, BytesIO(content)
        lines.seek(head.end())
        for line in lines:  # one at a time: all at once take twice the memory
            key, _, entry = line[:-1].decode("ascii", "replace").partition(" ")
            entries[key] = entry
        return entries


def _changed_at(entry: str) -> int:
    """Return when the later of the files of an entry last changed, in nanoseconds since 1970."""
    return max(int(stamp.rpartition(":")[2]) for stamp in entry.split(" ", 2)[:2] if stamp != _NO_LOADINGS)


def _digest(text: bytes | memoryview) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()
