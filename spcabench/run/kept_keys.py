"""The key of each cell, as the run learns it; the folder has them soon after."""

from __future__ import annotations

import time
from collections.abc import Mapping

from spcabench.store.folder import RunFolder

SHARE = 0.05
"""The share of a run's time that writing the index may take."""


class KeptKeys:
    """The keys of a run's cells.

    Parameters
    ----------
    folder : RunFolder
        Of the run; it may have the keys of earlier forms of the suite too.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._keys: dict[str, str] = {}
        self._kept = folder.index
        self._changed = False
        self._next = 0.0

    def get(self, cell_id: str) -> str | None:
        """Return the key of a cell; None if it is not known yet."""
        return self._keys.get(cell_id)

    def learn(self, keys: Mapping[str, str]) -> None:
        """Take the keys of cells, by their ids."""
        self._keys |= keys
        self._changed |= any(self._kept.get(cell_id) != key for cell_id, key in keys.items())

    def keep(self, at_once: bool = False) -> None:
        """Write those learned since; unless at once, no oftener than that the writing takes little of the time."""
        start = time.monotonic()
        if not self._changed or (start < self._next and not at_once):
            return
        self._kept |= self._keys
        self._folder.keep_index(self._kept)
        self._changed = False
        end = time.monotonic()
        self._next = end + (end - start) / SHARE
