"""Snapshots: frozen dataclasses of text as the rows of a CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


def read(kind: type[T], path: Path) -> list[T]:
    """Read the rows of a snapshot."""
    with path.open(encoding="utf-8", newline="") as file:
        return [kind(**cells) for cells in csv.DictReader(file)]


def write(rows: Sequence[Any], path: Path) -> None:
    """Write the rows of a snapshot."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, [field.name for field in fields(rows[0])], lineterminator="\n")
        table.writeheader()
        table.writerows(map(asdict, rows))
