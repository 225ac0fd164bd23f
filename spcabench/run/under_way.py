"""What is being done, since when, and how much longer a task takes than its fit."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence


class UnderWay:
    """The tasks begun and not ended, and what tasks took beyond their fits."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[str, float]] = {}
        self._beyond = 0.0
        self._ended = 0

    def begin(self, key: str, title: str) -> None:
        """Say that a task begins."""
        self._begun[key] = (title, time.time())

    def end(self, key: str, timing: Mapping[str, Sequence[float]] | None = None) -> None:
        """Say that a task ended; with the times of its fit, if it had one."""
        _, since = self._begun.pop(key, ("", time.time()))
        if timing and "fit_time" in timing:
            fitted = sum(timing["fit_time"]) + sum(timing.get("search_time", ()))
            self._beyond += max(0.0, time.time() - since - fitted)
            self._ended += 1

    @property
    def tasks(self) -> list[tuple[str, float]]:
        """The title of each task and when it began, in seconds since 1970."""
        return list(self._begun.values())

    @property
    def beyond(self) -> float:
        """Mean wall seconds of a task beyond its fit and the search: waiting, loading, metrics."""
        return self._beyond / max(1, self._ended)
