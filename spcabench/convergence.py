"""Traces of convergence: what a fit costs and reaches after more and more iterations, up to its own limit.

The host makes the trace of a method from outside, by fits with capped iterations: see
`spcabench.run.worker.convergence`.  A method may have one of its own instead: a fitted estimator may have ``trace_``,
of shape (n_points, 2), with a row for each point in time: CPU seconds since ``fit`` began, and the objective then,
summed over the components.  The last row is its limit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The objective of a method against its iterations and seconds.

    Parameters
    ----------
    iterations : tuple of int
        The most iterations that a component had, rising; of a trace of the method's own, the numbers of its rows.
    cpu_time, wall_time : tuple of float
        CPU and wall seconds of a fit with so many, initialisation included; a method's own trace has no wall seconds.
    objective : tuple of float
        The method's objective after it, summed over the components.
    reason : str
        Why the last objective is not the method's limit, or why there is none; empty if it is.
    """

    iterations: tuple[int, ...] = ()
    cpu_time: tuple[float, ...] = ()
    wall_time: tuple[float, ...] = ()
    objective: tuple[float, ...] = ()
    reason: str = ""

    @property
    def seconds(self) -> NDArray[np.float64]:
        """CPU seconds to each objective, shape (n_points,).

        Fewer iterations take no longer than more: where the clock shows it, it was disturbed, and the smaller counts.
        """
        return np.minimum.accumulate(np.asarray(self.cpu_time, dtype=np.float64)[::-1])[::-1]

    @property
    def distances(self) -> NDArray[np.float64]:
        """How far each objective is from the last, as a share of that, shape (n_points,)."""
        objective = np.asarray(self.objective, dtype=np.float64)
        off = np.abs(objective - objective[-1:])
        with np.errstate(divide="ignore"):
            return np.divide(off, np.abs(objective[-1:]), out=np.zeros_like(off), where=off > 0)


def time_to(trace: Trace, share: float) -> float:
    """Return the CPU seconds from which on the objective stays within a share of the limit.

    Parameters
    ----------
    trace : Trace
        Of a fit.
    share : float
        The largest relative distance to the limit.

    Returns
    -------
    float
        The time of the first point after the last one that is farther off; nan if the limit is not known.
    """
    if trace.reason or not trace.objective:
        return float("nan")
    (farther,) = np.nonzero(trace.distances > share)
    return float(trace.seconds[farther[-1] + 1 if len(farther) else 0])
