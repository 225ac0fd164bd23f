"""In a worker: do one task and leave its result in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spcabench import wording as words
from spcabench.errors import Unwritable
from spcabench.plugins import import_file
from spcabench.run.threads import Threads
from spcabench.specs import Array
from spcabench.store.files import writing

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
        threads = Threads(task["threads"])
    except ImportError as error:
        result = {"status": "unavailable", "reason": words.of_error(error)}
    except Exception as error:
        result = _failure(error)
    else:
        result = perform(task, folder, threads)
    with writing(folder / RESULT):  # cut short, it counts as none
        (folder / RESULT).write_text(json.dumps(_finite(result)))


def perform(task: Mapping[str, Any], folder: Path, threads: Threads) -> dict[str, Any]:
    """Do a task in this process, its pools held to `threads`, and give its result.

    Raises
    ------
    Unwritable
        If the result cannot be kept, which is not the method's failure; nothing else is raised.
    """
    try:
        held = threads.hold()
        result = _KINDS[task["kind"]](task, folder)
    except Unwritable:
        raise
    except (Exception, SystemExit) as error:
        return _failure(error)
    facts = result.setdefault("fit", {})
    facts["threads"] = held
    if threads.counts != held:
        facts["warnings"] = [*facts.get("warnings", []), f"it changed its threads, held to {held}: {threads.counts}"]
    return result


def _failure(error: BaseException) -> dict[str, Any]:
    return {"status": "error", "reason": words.of_error(error), "fit": {"traceback": words.of_traceback(error)}}


def _draw(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    from spcabench.run.drawing import draw

    return draw(task, folder)


def _fit(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    from spcabench.run import drawing
    from spcabench.run.fitting import fit

    result = fit(task, drawing.load(Path(task["draw"])), folder)
    loadings = result.pop("loadings", None)
    return _scored(task, loadings, result) if loadings is not None and task["metrics"] else result


def _score(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    with np.load(task["loadings"], allow_pickle=False) as arrays:
        loadings = {name: arrays[name] for name in arrays.files}
    return _scored(task, loadings, dict(task["record"]))


def _scored(task: Mapping[str, Any], loadings: Mapping[str, Array], result: dict[str, Any]) -> dict[str, Any]:
    from spcabench.run import drawing
    from spcabench.run.scoring import score

    dataset = drawing.load(Path(task["draw"]))
    values, errors = score(task["metrics"], dataset, loadings, result["fit"], result["timing"])
    return {**result, "metrics": values, "metric_errors": errors}


_KINDS = {"draw": _draw, "fit": _fit, "score": _score}


def _finite(value: Any) -> Any:
    """Write numbers that JSON does not know as words that ``float`` reads."""
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
