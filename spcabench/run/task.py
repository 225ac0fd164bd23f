"""In a worker: do one task and leave its result in a file."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spcabench.plugins import import_file
from spcabench.store.files import write_json

RESULT = "result.json"


def do(task: Mapping[str, Any]) -> None:
    """Do a task and write ``result.json`` into its folder.

    Parameters
    ----------
    task : mapping
        ``kind`` (``draw`` or ``fit`` or ``score``), ``folder``, ``threads``, ``plugins`` (files) and what the
        kind needs.
    """
    folder = Path(task["folder"])
    try:
        for file in task["plugins"]:
            import_file(Path(file))
        threads = hold_threads(task["threads"])
    except Exception as error:
        result = _failure(error)
    else:
        result = perform(task, folder, threads)
    write_json(folder / RESULT, _finite(result))


def perform(task: Mapping[str, Any], folder: Path, threads: Mapping[str, int]) -> dict[str, Any]:
    """Do a task in this process and give its result, with the `threads` of its BLAS pools; nothing is raised."""
    try:
        result = _KINDS[task["kind"]](task, folder)
    except (Exception, SystemExit) as error:
        return _failure(error)
    result.setdefault("fit", {})["threads"] = dict(threads)
    return result


def _failure(error: BaseException) -> dict[str, Any]:
    lines = "".join(traceback.format_exception(error)).splitlines()
    return {"status": "error", "reason": _shortly(error), "fit": {"traceback": lines[-30:]}}


def _draw(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    from spcabench.run.drawing import draw

    return draw(task, folder)


def _fit(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    from spcabench.run import drawing
    from spcabench.run.fitting import fit

    result = fit(task, drawing.load(Path(task["draw"])), folder)
    return _scored(task, folder / "loadings.npz", result) if "status" in result and task["metrics"] else result


def _score(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    return _scored(task, Path(task["loadings"]), dict(task["record"]))


def _scored(task: Mapping[str, Any], loadings: Path, result: dict[str, Any]) -> dict[str, Any]:
    from spcabench.run import drawing
    from spcabench.run.scoring import score
    from spcabench.store.record import FINISHED

    if result["status"] not in FINISHED:
        return result
    with np.load(loadings, allow_pickle=False) as arrays:
        stored = {name: arrays[name] for name in arrays.files}
    dataset = drawing.load(Path(task["draw"]))
    values, errors = score(task["metrics"], dataset, stored, result["fit"], result["timing"])
    return {**result, "metrics": values, "metric_errors": errors}


_KINDS = {"draw": _draw, "fit": _fit, "score": _score}


def hold_threads(threads: int) -> dict[str, int]:
    """Limit every BLAS and OpenMP pool of this process, and give what each then says of itself.

    Raises
    ------
    RuntimeError
        If a pool does not obey.
    """
    from threadpoolctl import threadpool_info, threadpool_limits

    threadpool_limits(limits=threads)
    pools = {f"{pool['internal_api']} {pool['version']}": int(pool["num_threads"]) for pool in threadpool_info()}
    disobedient = {name: count for name, count in pools.items() if count > threads}
    if disobedient:
        raise RuntimeError(f"{threads} threads wanted, but {disobedient} runs with more")
    return pools


def _shortly(error: BaseException) -> str:
    text = f"{type(error).__name__}: {error}"
    return text if len(text) <= 2000 else text[:2000] + "..."


def _finite(value: Any) -> Any:
    """Write numbers that JSON does not know as words that ``float`` reads."""
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
