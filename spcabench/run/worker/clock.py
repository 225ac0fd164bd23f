"""In a worker: the clock of a fit, which stands still while numba compiles."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from spcabench.run.messages import BEGIN, END
from spcabench.store.files import writing


class FitClock:
    """Wall and CPU seconds of a fit, without those of just-in-time compilation.

    The warm-up compiles what it can foresee.  What numba compiles, or loads from its cache, only in the fit stops this
    clock, and the limit of the host with it: meanwhile the file `BEGIN` is away, and then it is younger by the pause.

    Parameters
    ----------
    folder : Path
        Of the worker; gets the files `BEGIN` and `END`.
    """

    def __init__(self, folder: Path) -> None:
        self._begin, self._end = folder / BEGIN, folder / END
        self._pauses = 0
        self._watched = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start the clock, and the limit."""
        if "numba" in sys.modules:
            from spcabench.run.worker.compilation import watch

            self._watched.callback(watch(self.pause, self.resume))
        with writing(self._begin):
            self._begin.touch()
        self._begun = time.time()
        self.restart()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the limit."""
        with writing(self._end):
            self._end.touch()
        self._watched.close()

    def restart(self) -> None:
        """Count from now on; the limit counts on."""
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    @property
    def passed(self) -> tuple[float, float]:
        """Wall and CPU seconds since the last start."""
        return time.perf_counter() - self._wall, time.process_time() - self._cpu

    def pause(self) -> None:
        """Stop both clock and limit; pauses nest."""
        if not self._pauses:
            self._paused = self.passed
            self._begin.unlink(missing_ok=True)
        self._pauses += 1

    def resume(self) -> None:
        """Go on from where the first pause stopped."""
        self._pauses -= 1
        if self._pauses:
            return
        wall, cpu = (now - then for now, then in zip(self.passed, self._paused, strict=True))
        self._wall, self._cpu, self._begun = self._wall + wall, self._cpu + cpu, self._begun + wall
        with writing(self._begin):
            self._begin.touch()
            os.utime(self._begin, (self._begun, self._begun))
