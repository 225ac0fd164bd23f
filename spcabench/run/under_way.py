"""What is being done, since when, and how much longer a task takes than its fit."""

from __future__ import annotations

import time

from spcabench.run.messages import Failure, FitResult, Result


class UnderWay:
    """The tasks begun and not ended, and what tasks took beyond their fits."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[str, float]] = {}
        self._beyond = 0.0
        self._ended = 0

    def begin(self, key: str, title: str) -> None:
        """Say that a task begins."""
        self._begun[key] = (title, time.time())

    def end(self, key: str, result: Result | None = None) -> None:
        """Say that a task ended; with its result, if it had one."""
        _, since = self._begun.pop(key, ("", time.time()))
        if isinstance(result, FitResult | Failure) and result.timing.fit_time:
            fitted = sum(result.timing.fit_time) + sum(result.timing.search_time)
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
