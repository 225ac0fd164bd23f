"""In a worker: the clock of a fit, which stands still while numba compiles, and a method's own."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable
from time import perf_counter, process_time  # by name: a method that replaces those of `time` does not reach these
from typing import Any, Self

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
    clock; in either it is a phase of its own for the host.

    Parameters
    ----------
    enter : callable
        Hears when each phase begins, pauses, goes on and ends.
    """

    def __init__(self, enter: Enter = unheard) -> None:
        self._enter = enter
        self._phase: Phase = "start"
        self._pauses = 0
        self._watched = contextlib.ExitStack()
        self._is_watching = False
        self.restart()

    def __enter__(self) -> Self:
        """Watch for compilation."""
        self._watch()
        return self

    def __exit__(self, *_: object) -> None:
        """End the phase."""
        self._enter("keeping")
        self._watched.close()

    def begin(self, phase: Phase) -> None:
        """Begin a phase, and with it the clock."""
        self._watch()  # numba, if the warm-up imported it
        self._phase = phase
        self._enter(phase)
        self.restart()

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
            self._enter("compilation")
        self._pauses += 1

    def resume(self) -> None:
        """Go on from where the first pause stopped."""
        self._pauses -= 1
        if self._pauses:
            return
        wall, cpu = (now - then for now, then in zip(self.passed, self._paused, strict=True))
        self._wall, self._cpu = self._wall + wall, self._cpu + cpu
        self._enter(self._phase)

    def _watch(self) -> None:
        """Pause at each begin of a compilation, and go on at its end; they may nest."""
        if self._is_watching or "numba" not in sys.modules:
            return
        from numba.core import event

        class Calls(event.Listener):
            def on_start(_, __: object) -> None:
                self.pause()

            def on_end(_, __: object) -> None:
                self.resume()

        self._is_watching = True
        self._watched.enter_context(event.install_listener(COMPILER_LOCK, Calls()))


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
    with contextlib.suppress(TypeError, ValueError):
        seconds = float(wall), float(cpu)
        if 0.0 <= seconds[0] <= passed + ROUNDING and 0.0 <= seconds[1] < math.inf:
            return seconds
    raise Invalid(
        f"fit_seconds_ is {wall!r} and cpu_seconds_ {cpu!r}; two numbers are wanted, no number may be negative, "
        f"and the fit took {passed:g} s by the clock around it"
    )
