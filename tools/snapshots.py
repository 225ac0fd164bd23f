"""Snapshots: tables of text in CSV files, below lines that begin with ``# `` and say when and where they were made."""

from __future__ import annotations

import csv
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

REPORTS = Path(__file__).parents[1] / "reports"

Row = Mapping[str, str]


@dataclass(frozen=True)
class Snapshot:
    """The rows of a table, as text by column, and the lines above it."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.rows[0])


def read(file: Path) -> Snapshot:
    """Read a snapshot."""
    with file.open(encoding="utf-8", newline="") as lines:
        notes = []
        start = lines.tell()
        while (line := lines.readline()).startswith("# "):
            notes.append(line[2:].rstrip("\n"))
            start = lines.tell()
        lines.seek(start)
        return Snapshot(tuple(csv.DictReader(lines)), tuple(notes))


def write(file: Path, rows: Iterable[Mapping[str, object]], notes: Sequence[str] = ()) -> None:
    """Write a snapshot; what a row lacks is empty, the columns are in the order in which they first appear."""
    rows = list(rows)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with file.open("w", encoding="utf-8", newline="") as lines:
        lines.writelines(f"# {note}\n" for note in notes)
        table = csv.DictWriter(lines, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def made_here() -> str:
    """Say on what machine, when, and beside what load a snapshot is made."""
    machine = platform.processor() or platform.machine()
    load = f"{os.cpu_count()} cores, on which the load was {os.getloadavg()[0]:.1f} when it began"
    return f"{machine}, Python {platform.python_version()}, {date.today()}, {load}"
