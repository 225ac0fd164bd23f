"""A run's records as one data frame: a row per planned cell, whatever happened to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from spcabench.store.folder import RunFolder
from spcabench.store.record import Record, Timing
from spcabench.suite.plan import Cell, Plan
from spcabench.suite.repeats import spread


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
        Columns ``dataset``, ``draw_id``, ``stand_in``, ``method``, ``method_name``, ``family``,
        ``n_components``, ``n_nonzero``, ``seed``, ``status``, ``reason``, ``key``, ``fit_time`` and
        ``cpu_time`` (medians, seconds), ``repeats`` and ``time_spread`` (how many times there are, and how well
        their median is known: `spcabench.suite.repeats.spread`; nan of a single one), ``search_time``, ``n_fits``,
        ``peak_memory`` (MiB), ``contended``, and one for every metric value.
    """
    index = folder.index
    rows = [_row(cell, folder, index.get(cell.id, "")) for cell in plan.cells]
    return pd.DataFrame(rows)


def _row(cell: Cell, folder: RunFolder, key: str) -> dict[str, Any]:
    record = folder.record(key) if key else None
    draw = folder.draw(cell.draw.id) or {}
    row: dict[str, Any] = {
        "dataset": draw.get("label", cell.draw.variant.label),
        "draw_id": cell.draw.id,
        "stand_in": bool(draw.get("stand_in")),
        "method": cell.method.label,
        "method_name": cell.method.spec.name,
        "family": cell.method.spec.family,
        "n_components": cell.n_components,
        "n_nonzero": "" if cell.n_nonzero is None else str(_listed(cell.n_nonzero)),
        "seed": cell.seed,
        "status": record.status if record else "pending",
        "reason": record.reason if record else "",
        "key": key if record else "",
    }
    return row | _numbers(record)


def _numbers(record: Record | None) -> dict[str, Any]:
    timing = record.timing if record else Timing()
    times = timing.fit_time
    numbers = {"fit_time": _median(timing.fit_time), "cpu_time": _median(timing.cpu_time)}
    numbers |= {"repeats": len(times), "time_spread": spread(times) if len(times) > 1 else float("nan")}
    numbers |= {name: _median(getattr(timing, name)) for name in ("search_time", "n_fits", "peak_memory")}
    contended = record.fit.contended if record else False
    return {**numbers, "contended": contended, **(record.metrics if record else {}), **_own(numbers)}


def _own(numbers: dict[str, float]) -> dict[str, float]:
    """Let the medians over repeats stand where a metric of the same name has the first sample."""
    return {name: numbers[name] for name in ("fit_time",)}


def _median(values: tuple[float, ...]) -> float:
    return float(np.median(values)) if values else float("nan")


def _listed(level: int | tuple[int, ...]) -> int | list[int]:
    return list(level) if isinstance(level, tuple) else level
