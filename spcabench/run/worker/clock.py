"""In a worker: the clock of a fit, which stands still while numba compiles, and a method's own."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable
from time import perf_counter, process_time  # by name: a method that replaces those of `time` does not reach these
from types import TracebackType
from typing import Any, Literal, Self

from spcabench.run.messages import Phase
from spcabench.run.worker.loadings import Invalid

Enter = Callable[[Phase], None]
"""Says which phase the worker enters."""


COMPILER_LOCK = "numba:compiler_lock"
"""numba holds it while it compiles a function, or loads it from its cache."""
ROUNDING = 0.002
"""Seconds by which a clock that rounds may be ahead of ours."""


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
            self._watched.callback(_watch_compilation(self.pause, self.resume))
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


def _watch_compilation(begin: Callable[[], None], end: Callable[[], None]) -> Callable[[], None]:
    """Call back at each begin and end of a compilation, which may nest; return what ends that."""
    from numba.core import event

    class Calls(event.Listener):
        def on_start(self, _: object) -> None:
            begin()

        def on_end(self, _: object) -> None:
            end()

    listener = Calls()
    event.register(COMPILER_LOCK, listener)  # type: ignore[no-untyped-call]
    return lambda: event.unregister(COMPILER_LOCK, listener)  # type: ignore[no-untyped-call]


def own_seconds(estimator: Any, passed: float) -> tuple[float, float] | None:
    """Return the wall and processor seconds that a fitted estimator says its fit took; None if it does not say.

    Parameters
    ----------
    estimator : object
        Where a program does the work and starting it is none, its attribute ``fit_seconds_`` has the wall seconds and
        ``cpu_seconds_`` those of the processor, which are taken to be the same if it has none.
    passed : float
        Wall seconds around its ``fit`` by the host's clock, which it cannot exceed.

    Raises
    ------
    Invalid
        If it says what cannot be.
    """
    wall = getattr(estimator, "fit_seconds_", None)
    if wall is None:
        return None
    cpu = getattr(estimator, "cpu_seconds_", wall)
    try:
        seconds = float(wall), float(cpu)
    except (TypeError, ValueError):
        raise Invalid(f"fit_seconds_ is {wall!r} and cpu_seconds_ {cpu!r}; two numbers are wanted") from None
    if not (0.0 <= seconds[0] <= passed + ROUNDING and 0.0 <= seconds[1] < math.inf):
        raise Invalid(
            f"fit_seconds_ is {seconds[0]:g} and cpu_seconds_ {seconds[1]:g}; the fit took {passed:g} s by the clock "
            "around it, and no number may be negative"
        )
    return seconds
