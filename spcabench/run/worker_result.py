"""The lines that a worker leaves: the phases that it entered, its result, and each metric as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from spcabench.run.messages import RESULT, Entered, Line, Result, Scored
from spcabench.store.files import writing
from spcabench.wording import bounded

MOST_BYTES = 2**24
"""Bytes that a worker's lines may have; those of metrics with thousands of keys have a few hundred KiB."""
_LINES: TypeAdapter[Line] = TypeAdapter(Line, config=ConfigDict(ser_json_inf_nan="constants"))


class Unreadable(Exception):
    """A worker left what is no result; the message says why."""


def add_line(folder: Path, line: Line) -> None:
    """Add a line to what a worker leaves; its file is opened anew, since a method may close what is open.

    Raises
    ------
    Unwritable
        If there is no room for it.
    """
    text = json.dumps(_LINES.dump_python(line, mode="json"))  # names of files that are not UTF-8 arrive as they are
    with writing(folder / RESULT), (folder / RESULT).open("a", encoding="ascii") as file:
        file.write(f"{text}\n")


def lines_in(folder: Path, start: int = 0) -> tuple[list[Line], int]:
    """Return the whole lines in a worker's folder from a byte on, and the byte where the next begins.

    Raises
    ------
    Unreadable
        If they are no lines of a worker.
    """
    try:
        with (folder / RESULT).open("rb") as file:
            file.seek(start)
            text = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return [], start
    except OSError as error:
        raise Unreadable(str(error.strerror)) from error
    if start + len(text) > MOST_BYTES:
        raise Unreadable(f"more than {MOST_BYTES} bytes")
    whole = text[: text.rfind(b"\n") + 1]
    try:
        return [_LINES.validate_python(json.loads(line)) for line in whole.splitlines()], start + len(whole)
    except ValidationError as error:
        raise Unreadable(bounded(error.errors(include_url=False)[0]["msg"])) from error
    except (ValueError, RecursionError) as error:
        raise Unreadable("it is no JSON") from error


def result_in(folder: Path, end: str) -> Result | None:
    """Return the result that a worker left in its folder; None if there is none.

    Parameters
    ----------
    folder : Path
        The worker's.
    end : str
        How it ended: why the metric that it was at has no value.
    """
    try:
        return gathered(lines_in(folder)[0], end)
    except Unreadable as error:
        return Result(status="crashed", reason=f"the worker left what is no result: {error}")


def gathered(lines: Iterable[Line], end: str = "") -> Result | None:
    """Return the result among the lines of a worker, with the metrics that followed it; None if there is none.

    Of the metrics that did not follow, the first is to blame for the others.
    """
    left = [line for line in lines if not isinstance(line, Entered)]
    if not left or not isinstance(left[0], Result):
        return None
    result = left[0]
    scored = {part.name: part for part in left[1:] if isinstance(part, Scored) and part.name in result.awaited}
    missing = [name for name in result.awaited if name not in scored]
    metrics = {name: value for part in scored.values() for name, value in part.values.items()}
    errors = {part.name: part.error for part in scored.values() if part.error}
    errors |= dict.fromkeys(missing, f"not computed, since {missing[0]} ended its process" if missing else "")
    errors |= dict.fromkeys(missing[:1], end)
    return replace(result, metrics=metrics, facts=replace(result.facts, metric_errors=errors), awaited=())
