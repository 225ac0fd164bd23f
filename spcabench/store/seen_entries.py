"""What the index knows, as columns: an array for each field, since there may be a million records."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spcabench.store.arrays import read_arrays
from spcabench.store.gist import Gist
from spcabench.store.inside import Damaged, Stamp
from spcabench.store.typed_json import TypedJson

Rows = NDArray[np.int64]

_AT_ONCE = 4096
"""Gists that are made in one go."""


class Kind(NamedTuple):
    """What the gists of many records have in common; each field is that of `spcabench.store.gist.Gist`."""

    status: str
    reason: str
    scored: str
    repeat_failed: bool
    traced: bool
    worker: bool
    time_limit: float | None


_KINDS: TypedJson[tuple[Kind, ...]] = TypedJson(tuple[Kind, ...])


@dataclass(frozen=True)
class Entry:
    """What is known of one record.

    Parameters
    ----------
    record : Stamp
        The stamp of its file.
    loadings : Stamp
        The stamp of its loadings; `NO_FILE` if it has none.
    gist : Gist
        Its gist.
    """

    record: Stamp
    loadings: Stamp
    gist: Gist

    @property
    def changed(self) -> int:
        """When the later of its files last changed, in nanoseconds since 1970."""
        return max(self.record[1], self.loadings[1])


@dataclass(frozen=True, eq=False)
class Entries:
    """What is known of many records.

    Parameters
    ----------
    keys : ndarray of bytes, shape (n,)
        Their keys.
    records, loadings : ndarray of int64, shape (n, 2)
        The stamps of their files; `NO_FILE` for a record without loadings.
    same : ndarray of bytes, shape (n,)
        The field of the gists.
    search_time : ndarray of float64, shape (n,)
        The field of the gists.
    fit_time : ndarray of float64
        The times of all fits, record by record.
    bounds : ndarray of int64, shape (n + 1,)
        Where those of each record begin, and where the last ones end.
    kind : ndarray of int64, shape (n,)
        The place of the rest of each gist in `kinds`.
    kinds : tuple of Kind
        What gists have in common.
    """

    keys: NDArray[np.bytes_]
    records: NDArray[np.int64]
    loadings: NDArray[np.int64]
    same: NDArray[np.bytes_]
    search_time: NDArray[np.float64]
    fit_time: NDArray[np.float64]
    bounds: NDArray[np.int64]
    kind: NDArray[np.int64]
    kinds: tuple[Kind, ...]

    @classmethod
    def of(cls, entries: Iterable[tuple[str, Entry]]) -> Entries:
        """Return the columns of some entries by their keys."""
        keys, known = zip(*entries, strict=True) if (entries := list(entries)) else ((), ())
        gists = [entry.gist for entry in known]
        kinds = [_kind(gist) for gist in gists]
        places = {kind: place for place, kind in enumerate(dict.fromkeys(kinds))}
        return cls(
            keys=_texts(keys),
            records=_stamps(entry.record for entry in known),
            loadings=_stamps(entry.loadings for entry in known),
            same=_texts([gist.same for gist in gists]),
            search_time=np.array([gist.search_time for gist in gists], dtype=np.float64),
            fit_time=np.array([seconds for gist in gists for seconds in gist.fit_time], dtype=np.float64),
            bounds=np.cumsum([0, *(len(gist.fit_time) for gist in gists)], dtype=np.int64),
            kind=np.array([places[kind] for kind in kinds], dtype=np.int64),
            kinds=tuple(places),
        )

    def take(self, kept: NDArray[np.bool_]) -> Entries:
        """Return those where `kept`, of shape (n,), says so."""
        counts = np.diff(self.bounds)
        return Entries(
            keys=self.keys[kept],
            records=self.records[kept],
            loadings=self.loadings[kept],
            same=self.same[kept],
            search_time=self.search_time[kept],
            fit_time=self.fit_time[np.repeat(kept, counts)],
            bounds=np.cumsum([0, *counts[kept].tolist()], dtype=np.int64),
            kind=self.kind[kept],
            kinds=self.kinds,
        )

    def plus(self, others: Entries) -> Entries:
        """Return these, followed by others."""
        places = {kind: place for place, kind in enumerate(dict.fromkeys((*self.kinds, *others.kinds)))}
        moved = [np.array([places[kind] for kind in one.kinds], dtype=np.int64)[one.kind] for one in (self, others)]
        return Entries(
            keys=np.concatenate((self.keys, others.keys)),
            records=np.concatenate((self.records, others.records)),
            loadings=np.concatenate((self.loadings, others.loadings)),
            same=np.concatenate((self.same, others.same)),
            search_time=np.concatenate((self.search_time, others.search_time)),
            fit_time=np.concatenate((self.fit_time, others.fit_time)),
            bounds=np.concatenate((self.bounds, self.bounds[-1] + others.bounds[1:])),
            kind=np.concatenate(moved),
            kinds=tuple(places),
        )

    def gists(self, rows: Rows) -> Iterator[Gist]:
        """Yield the gists of some rows."""
        times = array("d", self.fit_time.tobytes())
        for first in range(0, len(rows), _AT_ONCE):
            some = rows[first : first + _AT_ONCE]
            status, reason, scored, *rest = zip(*map(self.kinds.__getitem__, self.kind[some].tolist()), strict=True)
            spans = map(slice, self.bounds[some].tolist(), self.bounds[some + 1].tolist())
            fit_time = map(tuple, map(times.__getitem__, spans))
            columns = (
                status,
                reason,
                read_texts(self.same[some]),
                scored,
                fit_time,
                self.search_time[some].tolist(),
                *rest,
            )
            yield from map(Gist._make, zip(*columns, strict=True))

    def dumps(self) -> bytes:
        """Write them as an .npz file."""
        text = np.frombuffer(_KINDS.dumps(self.kinds), dtype=np.uint8)
        arrays = {name: value for name, value in vars(self).items() if name not in ("keys", "same", "kinds")}
        file = io.BytesIO()
        np.savez(file, keys=_as_numbers(self.keys), same=_as_numbers(self.same), kinds=text, **arrays)
        return file.getvalue()

    @classmethod
    def loads(cls, content: bytes) -> Entries:
        """Read what `dumps` wrote.

        Raises
        ------
        Damaged
            If it is not that.
        """
        arrays: dict[str, Any] = read_arrays(content)
        try:
            texts: dict[str, Any] = {name: _as_texts(arrays.pop(name)) for name in ("keys", "same")}
            entries = cls(**texts, kinds=_KINDS.loads(arrays.pop("kinds").tobytes()), **arrays)
        except (KeyError, TypeError, ValueError) as error:
            raise Damaged("it is no index") from error
        if not entries._fit():
            raise Damaged("its columns do not fit each other")
        return entries

    def _fit(self) -> bool:
        """Return whether the columns fit each other."""
        n = len(self.keys)
        wanted = {
            "records": ((n, 2), np.int64),
            "loadings": ((n, 2), np.int64),
            "same": ((n,), self.same.dtype),
            "search_time": ((n,), np.float64),
            "fit_time": (self.fit_time.shape, np.float64),
            "bounds": ((n + 1,), np.int64),
            "kind": ((n,), np.int64),
        }
        alike = all((getattr(self, name).shape, getattr(self, name).dtype) == known for name, known in wanted.items())
        return (
            alike
            and bool(np.all((self.kind >= 0) & (self.kind < len(self.kinds))))
            and bool(np.all(np.diff(self.bounds, prepend=0, append=self.fit_time.size) >= 0))
        )


def _kind(gist: Gist) -> Kind:
    return Kind(gist.status, gist.reason, gist.scored, *gist[6:])


def _stamps(stamps: Iterable[Stamp]) -> NDArray[np.int64]:
    return np.array(list(stamps), dtype=np.int64).reshape(-1, 2)


def _texts(texts: Sequence[str]) -> NDArray[np.bytes_]:
    return np.array([text.encode() for text in texts] or [], dtype=np.bytes_)


def read_texts(texts: NDArray[np.bytes_]) -> list[str]:
    """Return the texts of a column."""
    return [text.decode() for text in texts.tolist()]


def _as_numbers(texts: NDArray[np.bytes_]) -> NDArray[np.uint8]:
    """Return texts as rows of bytes, which is what is read back of a file that may come from a stranger."""
    return texts.view(np.uint8).reshape(len(texts), texts.itemsize)


def _as_texts(numbers: NDArray[np.uint8]) -> NDArray[np.bytes_]:
    length = numbers.shape[1]
    return np.ascontiguousarray(numbers).view(f"S{length}").reshape(len(numbers))
