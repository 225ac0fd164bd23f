"""In a worker: the times of a fit by the method's own clock, where a program does the work and starting it is none."""

from __future__ import annotations

import math
from typing import Any

from spcabench.run.worker.loadings import Invalid

ROUNDING = 0.002
"""Seconds by which a clock that rounds may be ahead of ours."""


def own_seconds(estimator: Any, passed: float) -> tuple[float, float] | None:
    """Return the wall and processor seconds that a fitted estimator says its fit took; None if it does not say.

    Parameters
    ----------
    estimator : object
        Its attribute ``fit_seconds_`` has the wall seconds and ``cpu_seconds_`` those of the processor, which are taken
        to be the same if it has none.
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


def own_memory(estimator: Any) -> tuple[float, ...]:
    """Return the MiB that its attribute ``peak_memory_`` says the fit added to the peak of its process; or nothing.

    The system counts in the peak of a process that has ended what its parent had when it was started.
    """
    memory = getattr(estimator, "peak_memory_", None)
    return () if memory is None else (float(memory),)
