"""In a worker: the clock of a fit, which stands still while numba compiles."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from time import perf_counter, process_time  # by name: a method that replaces those of `time` does not reach these
from types import TracebackType
from typing import Literal, Self

from spcabench.run.messages import Phase

Enter = Callable[[Phase], None]
"""Says which phase the worker enters."""


def unheard(phase: Phase) -> None:
    """Say it to nobody."""


class FitClock:
    """Wall and CPU seconds of a fit, without those of just-in-time compilation.

    The warm-up compiles what it can foresee.  What numba compiles, or loads from its cache, only in the fit stops this
    clock, and is a phase of its own for the host.

    Parameters
    ----------
    enter : callable
        Hears when the fit begins, pauses, goes on and ends.
    phase : {"fit", "trace"}
        What the clock is for.
    """

    def __init__(self, enter: Enter = unheard, phase: Literal["fit", "trace"] = "fit") -> None:
        self._enter, self._phase = enter, phase
        self._pauses = 0
        self._watched = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start the clock, and the limit."""
        if "numba" in sys.modules:
            from spcabench.run.worker.compilation import watch

            self._watched.callback(watch(self.pause, self.resume))
        self._enter(self._phase)
        self.restart()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the limit."""
        self._enter("keep")
        self._watched.close()

    def restart(self) -> None:
        """Count from now on; the limit counts on."""
        self._wall, self._cpu = perf_counter(), process_time()

    @property
    def passed(self) -> tuple[float, float]:
        """Wall and CPU seconds since the last start."""
        return perf_counter() - self._wall, process_time() - self._cpu

    def pause(self) -> None:
        """Stop both clock and limit; pauses nest."""
        if not self._pauses:
            self._paused = self.passed
            self._enter("compile")
        self._pauses += 1

    def resume(self) -> None:
        """Go on from where the first pause stopped."""
        self._pauses -= 1
        if self._pauses:
            return
        wall, cpu = (now - then for now, then in zip(self.passed, self._paused, strict=True))
        self._wall, self._cpu = self._wall + wall, self._cpu + cpu
        self._enter(self._phase)
