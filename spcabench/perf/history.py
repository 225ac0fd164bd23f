"""The history of speeds: what each comparison found of head, in the format of pytest-benchmark, a file each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from spcabench.perf.measured import Compared, Measured
from spcabench.wording import Fault, InputError

MATTER = ("numpy", "scipy", "scikit-learn", "numba", "llvmlite")
"""Packages whose versions speeds depend on."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Point:
    """A number of a benchmark at one commit.

    Parameters
    ----------
    name, group : str
        The benchmark.
    measure : {"instructions", "seconds"}
    machine : str
        Where it was measured, and with what: other numbers there make another series.
    date, commit : str
    value : float
    variance : float, optional
        The share of variance that the loadings explain.
    """

    name: str
    group: str
    measure: str
    machine: str
    date: str
    commit: str
    value: float
    variance: float | None


def save(rows: Sequence[Compared], counting: str, commit: Json, folder: Path) -> Path:
    """Write what was measured of head into a folder, beside what is there, and return the file.

    Parameters
    ----------
    rows : sequence of Compared
        What was measured; cases without times are left out.
    counting : str
        What counted instructions.
    commit : dict
        ``id``, ``time`` and ``dirty``.
    folder : Path
        ``.benchmarks`` is what pytest-benchmark reads by default.

    Raises
    ------
    InputError
        If pytest-benchmark is not installed.
    """
    try:
        from pytest_benchmark import __version__
        from pytest_benchmark.plugin import pytest_benchmark_generate_machine_info as machine
        from pytest_benchmark.utils import get_machine_id
    except ImportError:
        raise InputError("the history takes pytest-benchmark: pip install 'spcabench[perf]'") from None
    now = datetime.now(UTC)
    kept = {
        "machine_info": {**machine(), "versions": versions(), "counting": counting},
        "commit_info": commit,
        "benchmarks": [_benchmark(row, row.head) for row in rows if isinstance(row.head, Measured) and row.time],
        "datetime": now.isoformat(),
        "version": __version__,
    }
    place = folder / str(get_machine_id())
    place.mkdir(parents=True, exist_ok=True)
    number = 1 + max((int(file.name[:4]) for file in place.glob("[0-9][0-9][0-9][0-9]_*.json")), default=0)
    file = place / f"{number:04d}_{commit['id'][:12]}_{now:%Y%m%d_%H%M%S}.json"
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return file


def versions() -> dict[str, str]:
    """Return the versions that speeds depend on."""
    found = {}
    for name in MATTER:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _benchmark(row: Compared, head: Measured) -> Json:
    from pytest_benchmark.stats import Stats

    stats = Stats()
    for seconds in head.seconds:
        stats.update(seconds)
    time = row.time
    return {
        "group": f"{row.case.family}, {row.case.size}",
        "name": row.case.name,
        "fullname": f"spcabench-perf::{row.case.name}",
        "params": None,
        "param": None,
        "options": {"timer": "process_time"},
        "extra_info": {
            "variance": head.quality.variance,
            "nonzeros": head.quality.nonzeros,
            "iterations": head.quality.iterations,
            "instructions": head.instructions,
            "ratio of instructions": row.instructions,
            "ratio of times": None if time is None else [time.low, time.middle, time.high],
        },
        "stats": {**stats.as_dict(), "data": list(head.seconds), "iterations": 1},
    }


def points(files: Sequence[Path]) -> list[Point]:
    """Read the numbers of saved files, of this program or of pytest-benchmark, by date.

    Raises
    ------
    InputError
        If a file is not of this format.
    """
    found: list[Point] = []
    for file in files:
        try:
            found += _points(json.loads(file.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(Fault(f"not a file of pytest-benchmark ({error!r})", str(file))) from None
    return sorted(found, key=lambda point: point.date)


def _points(saved: Json) -> Iterator[Point]:
    about = saved["machine_info"]
    packages = ", ".join(f"{name} {number}" for name, number in about.get("versions", {}).items())
    cpu = about["cpu"].get("brand_raw", about["machine"])
    counted_by = about.get("counting", "")
    machine = ", ".join(filter(None, (cpu, f"Python {about['python_version']}", packages, counted_by)))
    at = (machine, saved["commit_info"].get("time") or saved["datetime"], saved["commit_info"]["id"])
    for one in saved["benchmarks"]:
        info = one["extra_info"]
        values = {"seconds": one["stats"]["min"] / info.get("fits", 1), "instructions": info.get("instructions")}
        for measure, value in values.items():
            if value:
                yield Point(one["name"], one["group"] or "", measure, *at, float(value), info.get("variance"))
