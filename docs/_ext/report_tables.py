"""Read the tables of the Markdown pages in ``reports``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports"


@dataclass(frozen=True)
class Table:
    """A table below a heading.

    Parameters
    ----------
    heading : str
        The nearest heading of the second level above it; empty if there is none.
    rows : tuple of mapping of str to str
        The cells of each row by the name of their column.
    """

    heading: str
    rows: tuple[Mapping[str, str], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.rows[0]) if self.rows else ()


def tables(page: str) -> list[Table]:
    """Return the tables of a page in ``reports``, e.g. ``optima.md``, from top to bottom."""
    text = (REPORTS / page).read_text(encoding="utf-8")
    parts = re.split(r"^## +", text, flags=re.MULTILINE)
    headed = [("", parts[0]), *((part.partition("\n")[0], part) for part in parts[1:])]
    return [Table(heading, rows) for heading, part in headed for rows in _tables_of(part)]


def _tables_of(text: str) -> Iterator[tuple[Mapping[str, str], ...]]:
    for block in re.findall(r"(?:^\|.*\|[ \t]*\n?)+", text, re.MULTILINE):
        lines = [_cells(line) for line in block.strip().splitlines()]
        yield tuple(dict(zip(lines[0], cells, strict=True)) for cells in lines[2:])


def _cells(line: str) -> list[str]:
    """Return the cells of a line; a bar within a cell has a backslash before it."""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def number(text: str) -> float | None:
    """Return the first number of a cell, or None if it begins with something else."""
    found = re.match(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text)
    return float(found.group()) if found else None


def markdown(columns: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)
