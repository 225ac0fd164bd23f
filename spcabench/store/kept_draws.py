"""What a run keeps of its draws: what is known of each, and a few samples to look at."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from spcabench.store.arrays import MOST_BYTES, finite, read_arrays
from spcabench.store.draw import DRAWS, DrawRecord
from spcabench.store.inside import Damaged, Inside
from spcabench.store.sealed import sealed_json, unsealed_json
from spcabench.store.whole_files import WholeFiles


class KeptDraws(WholeFiles):
    """The draws of a run: ``draws/ID.json`` and ``draws/ID.npz``."""

    def save_draw(self, record: DrawRecord) -> None:
        """Keep what is known of a draw."""
        self.write_bytes(f"draws/{record.id}.json", sealed_json(DRAWS.dumps(record)))

    def draw_record(self, draw_id: str) -> DrawRecord | None:
        """Return what is known of a draw, or None."""

        def read(content: bytes) -> DrawRecord:
            record = DRAWS.loads(unsealed_json(content))
            if record.id != draw_id:
                raise Damaged(f"it is that of another draw, {record.id[:80]}")
            return record

        return self._read(f"draws/{draw_id}.json", read)

    def draw(self, draw_id: str) -> dict[str, Any] | None:
        """Return what is known of a draw, by the names of the fields of `spcabench.store.draw.DrawRecord`."""
        record = self.draw_record(draw_id)
        return None if record is None else dict(vars(record))

    def adopt_samples(self, record: DrawRecord, file: Path) -> DrawRecord:
        """Take an .npz as the samples of a draw to look at, if it is there; return the record with its checksum.

        Raises
        ------
        Damaged
            If the file does not hold samples.
        """
        try:
            content = Inside(file.parent).read(file.name, MOST_BYTES)
        except FileNotFoundError:
            return record
        finite(read_arrays(content), "X")
        self.write_bytes(f"draws/{record.id}.npz", content)
        return replace(record, samples=hashlib.sha256(content).hexdigest())

    def samples(self, draw_id: str) -> dict[str, NDArray[Any]] | None:
        """Return a few samples of a draw to look at: ``X`` as used, ``X_clean`` their originals, or None."""
        record = self.draw_record(draw_id)
        if record is None or not record.samples or not self.has_samples(record):
            return None
        return self._read(f"draws/{draw_id}.npz", lambda content: finite(read_arrays(content), "X"), MOST_BYTES)

    def look_at_draw(self, draw_id: str) -> None:
        """Note what is damaged of a draw."""
        record = self.draw_record(draw_id)
        if record is not None:
            self.has_samples(record)

    def has_samples(self, record: DrawRecord) -> bool:
        """Return whether the samples of a draw are there and whole, if it has any."""
        return not record.samples or self._has(f"draws/{record.id}.npz", record.samples)
