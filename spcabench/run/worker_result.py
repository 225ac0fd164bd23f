"""The lines that a worker leaves: the phases that it entered, its result, and that again with its metrics."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from spcabench.run.messages import RESULT, Line, Result
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
        How it ended: why the metrics that it was at have no value.
    """
    try:
        results = [line for line in lines_in(folder)[0] if isinstance(line, Result)]
    except Unreadable as error:
        return Result(status="crashed", reason=f"the worker left what is no result: {error}")
    if not results:
        return None
    errors = {name: error or end for name, error in results[-1].facts.metric_errors.items()}
    return replace(results[-1], facts=replace(results[-1].facts, metric_errors=errors))
