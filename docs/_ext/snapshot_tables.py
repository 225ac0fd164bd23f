"""Read the snapshots in ``reports``, write their rows as tables of a page, and fill the templates of pages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "docs" / "_templates"
sys.path.append(str(ROOT / "tools"))

from snapshots import Snapshot, read  # noqa: E402

Row = Mapping[str, str]


@cache
def snapshot(name: str) -> Snapshot:
    """Return a snapshot, e.g. ``optima``."""
    return read(ROOT / "reports" / f"{name}.csv")


def groups(rows: Iterable[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    """Return the rows that have the same cells in some columns, in their order."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in columns), []).append(row)
    return found


def number(text: str) -> float | None:
    """Return the first number of a cell, or None if it begins with something else."""
    found = re.match(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text)
    return float(found.group()) if found else None


def markdown(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", r"\|") for cell in line) + " |" for line in lines)


def shown(rows: Sequence[Row], without: Sequence[str] = ()) -> str:
    """Return rows as a table in Markdown, but for some columns and those in which all cells are empty."""
    columns = [name for name in rows[0] if name not in without and any(row[name] for row in rows)]
    return markdown(columns, [[row[name] for name in columns] for row in rows])


def filled(name: str, known: Mapping[str, Any], **more: Any) -> str:
    """Return a template in which what stands in braces is filled by what is known, such as the names of a module."""
    templates = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=False)
    templates.trim_blocks = templates.lstrip_blocks = templates.keep_trailing_newline = True
    return templates.get_template(name).render(known, **more)
