"""What a run is about to do, before anything slow is imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spcabench.wording import roughly

if TYPE_CHECKING:
    from pathlib import Path

    from spcabench.run.options import Options
    from spcabench.suite.load import Loaded
    from spcabench.suite.plan import Cell


def announced(loaded: Loaded, folder: Path, options: Options) -> str:
    """Say in a line what is run, how long it takes where the suite says so, and where the results go."""
    cells = options.chosen(loaded.plan).cells
    parts = (
        _count(cells, "cell", "cells"),
        f"{_count({cell.method.label for cell in cells}, 'method', 'methods')} on "
        f"{_count({cell.draw.variant.label for cell in cells}, 'data set', 'data sets')}, "
        f"{_count({cell.seed for cell in cells}, 'seed', 'seeds')}",
        _duration(loaded, cells, options),
    )
    return f"{loaded.suite.name}: {'; '.join(parts)}; results go to {folder}"


def _count(things: Sequence[Cell] | set[str] | set[int], one: str, many: str) -> str:
    return f"{len(things)} {one if len(things) == 1 else many}"


def _duration(loaded: Loaded, cells: Sequence[Cell], options: Options) -> str:
    """Say how long a whole run takes, and of a part its share; the suite knows nothing of what was set in it."""
    minutes = loaded.suite.minutes
    if minutes is None or options.settings:
        return "the first fits will show how long it takes"
    share = len(cells) / len(loaded.plan.cells) / max(1, min(options.jobs, len(cells)))
    return f"{roughly(60 * minutes * share)} if nothing is done yet"
