"""A run's records as one data frame: a row per planned cell, whatever happened to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import numpy as np
import pandas as pd

from spcabench.analysis.times import spread
from spcabench.specs import MethodSpec
from spcabench.store.about import DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record, clock_of
from spcabench.store.status import PENDING
from spcabench.suite.plan import Cell, Plan
from spcabench.suite.values import MAIN
from spcabench.wording import in_a_line

ABOUT_CELL = (
    *("dataset", "suite_dataset", "draw_id", "stand_in", "method", "method_name", "family", "n_components"),
    *("n_nonzero", "seed", "status", "reason", "metric_errors", "key", "contended", "stop", "start", "own_start"),
)
"""Columns that say what a cell is and what became of it."""

ABOUT_COST = (
    *("fit_time", "cpu_time", "wall_per_cpu", "repeats", "time_spread", "search_time", "n_fits", "total_time"),
    *("peak_memory", "cold_time"),
)
"""Columns that say what a cell cost."""

ABOUT_SPARSITY = ("fitted_nonzeros", "missed_components")
"""Columns that say how sparse the loadings are, whichever metrics the suite asks for."""

ABOUT_FIT = (
    *("knob", "nnz", "threads", "cpu_times", "trace", "random_data", "fitted_at", "worker", "own_clock", "note"),
)
"""Columns for the report alone, which exports leave out: how sparsity is set, the nonzeros of each component, the
threads, every sample of the CPU clock, the trace of convergence, whether the data depend on the seed, when the cell was
fitted, the Dask worker that did it, whose clock its times are by, if not the host's, and what the suite notes beside
the method, or the host of one that varies."""

VARIES = "other loadings in a repeat with the same seed"


@dataclass(frozen=True)
class Level:
    """How many nonzeros of a component were asked for.

    Parameters
    ----------
    target : int or tuple of int, optional
        One number for every component, or one for each; None where the method has no target.
    """

    target: int | tuple[int, ...] | None = None

    def __bool__(self) -> bool:
        return self.target is not None

    def __str__(self) -> str:
        if self.target is None:
            return ""
        return str(self.target if isinstance(self.target, int) else list(self.target))

    @property
    def mean(self) -> float:
        """The mean over the components; nan without a target."""
        return math.nan if self.target is None else float(np.mean(self.target))


def stop_of(spec: MethodSpec, settings: Mapping[str, Any]) -> str:
    """Describe what ends the iterations of a fit: each parameter and its value; nothing if it has none.

    Examples
    --------
    >>> spec = MethodSpec(name="m", estimator="m:M", iterations="max_iter", tolerance="tol")
    >>> stop_of(spec, {"tol": 1e-6, "max_iter": 200})
    'tol = 1e-6, max_iter = 200'
    """
    names = [name for name in (spec.tolerance, spec.iterations) if name in settings]
    return ", ".join(f"{name} = {_short(settings[name])}" for name in names)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}".replace("e-0", "e-")
    return "null" if value is None else str(value)


def results_frame(folder: RunFolder, plan: Plan) -> pd.DataFrame:
    """Return a row per planned cell.

    Parameters
    ----------
    folder : RunFolder
        The run.
    plan : Plan
        Its plan; a cell without a record has the status ``pending``.

    Returns
    -------
    DataFrame
        Columns ``dataset`` (its label, with the stand-in if there is one), ``suite_dataset`` (its label in the
        suite), ``draw_id``, ``stand_in``, ``method``, ``start`` (of `spcabench.suite.values`), ``own_start`` (where
        a fit starts if the suite does not say), ``method_name``, ``family``, ``stop`` (what ends the iterations of
        a fit), ``n_components``, ``n_nonzero`` (a `Level`), ``seed``, ``status``, ``reason``, ``key``,
        ``metric_errors`` (why metrics could not be computed), ``fit_time`` and ``cpu_time`` (wall and CPU seconds:
        medians, or minima where they are contended), ``wall_per_cpu`` (over all repeats), ``repeats`` and
        ``time_spread`` (how many times there are, and how well their median is known:
        `spcabench.analysis.times.spread`; nan of a single one), ``search_time``, ``n_fits``, ``total_time`` (of the fit
        and the search), ``peak_memory`` (MiB), ``cold_time`` (of the first fit in its process), ``contended``
        (`spcabench.store.record.clock_of`), ``fitted_nonzeros`` (mean over the components), ``missed_components`` (how
        many missed their target; nan without one), those of `ABOUT_FIT`, and one for every metric value.
    """
    draws = {draw.id: folder.draw_record(draw.id) for draw in plan.draws}
    rows = [_row(cell, record, draws.get(cell.draw.id)) for cell, record in folder.records_of(plan)]
    return pd.DataFrame(rows)


def _row(cell: Cell, kept: Record | None, draw: DrawRecord | None) -> dict[str, Any]:
    record = kept or Record(key="", cell={}, status=PENDING)
    fit, method = record.fit, cell.method
    own_start = str(fit.settings.get(method.spec.starts or "", "")) if method.start in MAIN else ""
    row: dict[str, Any] = {
        "dataset": draw.label if draw else cell.draw.variant.label,
        "suite_dataset": cell.draw.variant.label,
        "draw_id": cell.draw.id,
        "stand_in": bool(draw and draw.stand_in),
        "method": method.name,
        "start": method.start,
        "own_start": own_start,
        "method_name": method.spec.name,
        "family": method.spec.family,
        "n_components": cell.n_components,
        "n_nonzero": Level(cell.n_nonzero),
        "seed": cell.seed,
        "status": record.status,
        "reason": record.reason,
        "metric_errors": "; ".join(f"{name}: {in_a_line(reason)}" for name, reason in fit.metric_errors.items()),
        "key": record.key,
        "knob": method.spec.knob.kind,
        "nnz": fit.nnz,
        "threads": cell.threads,
        "stop": stop_of(method.spec, fit.settings),
        "trace": fit.trace,
        "cpu_times": record.timing.cpu_time,
        "random_data": cell.draw.variant.spec.varies(cell.draw.variant.params),
        "fitted_at": str(record.about.get("time", "")),
        "worker": fit.worker,
        "note": "; ".join(filter(None, [method.note, VARIES if fit.varies else ""])),
        "own_clock": (fit.program or "its own") if fit.own_clock else "",
        "fitted_nonzeros": fmean(fit.nnz) if fit.nnz else math.nan,
        "missed_components": math.nan if fit.target_missed is None else float(len(fit.target_missed)),
    }
    times = _times(record)  # these stand where a metric of the same name has those of the first repeat
    return row | times | record.metrics | times


def _times(record: Record) -> dict[str, Any]:
    """Return what a cell cost, in this run's seconds."""
    timing, clock = record.timing, clock_of(record.timing, record.fit)
    wall = clock.wall if clock else math.nan
    search, fits, memory, cold = (
        float(median(values)) if values else math.nan
        for values in (timing.search_time, timing.n_fits, timing.peak_memory, timing.cold_time)
    )
    return {
        "fit_time": wall,
        "cpu_time": clock.cpu if clock else math.nan,
        "wall_per_cpu": clock.wall_per_cpu if clock else math.nan,
        "repeats": len(timing.fit_time),
        "time_spread": spread(timing.fit_time) if len(timing.fit_time) > 1 else math.nan,
        "search_time": search,
        "n_fits": fits,
        "total_time": wall + search,
        "peak_memory": memory,
        "cold_time": cold,
        "contended": bool(clock and clock.contended),
    }
