"""Run suites with published numbers, and remake the snapshot of their verdicts, tests/published/suites.csv.

::

    SPCABENCH_DATA=FOLDER python tools/suites.py

It prints each match that is new or lost, and writes nothing if a miss has no reason.  The folder must have the data
set colon: a stand-in reaches no published number.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from snapshots import read, write

from spcabench.analysis.verdicts import LEAVES_OPEN, VERDICTS
from spcabench.plugins import load_registry
from spcabench.report.model import Results
from spcabench.report.published import judged_of
from spcabench.run import host
from spcabench.store.folder import RunFolder
from spcabench.store.frame import results_frame
from spcabench.suite.load import load_suite

COMMAND = "python tools/suites.py"
CSV = Path(__file__).parents[1] / "tests" / "published" / "suites.csv"

SETTINGS: dict[str, tuple[str, ...]] = {
    "pitprops": (),
    "cop_hastie": (),
    "spcart_synthetic": (),
    "spcart_pitprops": (),
    "cop_pitprops": (),
    "cop_colon": (),
    "cop_path_curves": (),
    "toy_outlier": ("seeds=39", "starts=[published]"),
    "hastie_outlier": ("seeds=39", "starts=[published]", "datasets.0.params.outlier_variance=[6000]"),
}
"""The suites, with what is set in them to be done sooner; repeats, which are for the clock alone, are always one."""

SLOW = {"hastie_outlier": "spcagrid_mad (lam=1)"}
"""A method that takes three quarters of the time of a suite."""

BADNESS = {verdict: place for place, verdict in enumerate(VERDICTS)}


@dataclass(frozen=True)
class Row:
    """A published number and whether it is reached."""

    suite: str
    source: str
    dataset: str
    n_nonzero: str
    method: str
    metric: str
    published: str
    kind: str
    verdict: str

    @property
    def name(self) -> str:
        """The number in one line."""
        where = ", ".join(filter(None, (self.dataset, self.n_nonzero, self.method, self.metric)))
        return f"{self.suite}: {self.source}: {where}: {self.published}"


def has_data(suite: str) -> bool:
    """Return whether the data of a suite are at hand."""
    return suite not in ("cop_colon", "cop_path_curves") or Path(os.environ.get("SPCABENCH_DATA", ""), "colon").is_dir()


def run(suite: str, folder: Path, skip: Sequence[str] = ()) -> Results:
    """Run a suite in this process, but for some methods."""
    registry = load_registry()
    loaded = load_suite(suite, registry, ["repeats=1", *SETTINGS[suite]])
    place = RunFolder(folder)
    options = host.Options(isolation=False, skip=skip)
    host.run(loaded.suite, loaded.plan, registry, place, options, lambda event: None)
    metrics = {entry.name: registry.metrics[entry.name] for entry in loaded.suite.metrics}
    frame = results_frame(place, loaded.plan)
    return Results(suite=loaded.suite, folder=place, frame=frame, metrics=metrics, command="", about={})


def verdicts(results: Results) -> tuple[list[Row], list[str]]:
    """Return the verdict of each published number, and a line for each miss that has no reason."""
    rows, unexplained = [], []
    for pair in judged_of(results):
        where = (pair.block.source, pair.dataset, str(pair.level), pair.method, pair.column.name)
        row = Row(results.suite.name, *where, f"{pair.published:g}", pair.kind, pair.verdict)
        rows.append(row)
        if pair.verdict in LEAVES_OPEN and not pair.row.reason:
            unexplained.append(f"no reason for a miss: {row.name}, measured {pair.measured.mean:.4g}")
    return rows, unexplained


def held(path: Path = CSV) -> list[Row]:
    """Return what the snapshot holds."""
    return [Row(**row) for row in read(path).rows]


def changes(before: list[Row], now: list[Row]) -> list[str]:
    """Describe each verdict that differs from the snapshot, and each number that only one of the two has."""
    old, new = ({row.name: row.verdict for row in rows} for rows in (before, now))
    found = [f"a number is gone: {name}" for name in old.keys() - new.keys()]
    found += [f"a number is new: {name}" for name in new.keys() - old.keys()]
    for name in filter(old.__contains__, new):
        if new[name] != old[name]:
            what = "lost" if BADNESS[new[name]] > BADNESS[old[name]] else "new"
            found.append(f"a match is {what}: {name}: the snapshot says '{old[name]}', now '{new[name]}'")
    return found


def main(path: Path = CSV) -> None:
    """Run all, compare with the snapshot, and write it."""
    if missing := [suite for suite in SETTINGS if not has_data(suite)]:
        sys.exit(f"SPCABENCH_DATA has no colon, which {' and '.join(missing)} need; nothing is written")
    rows, faults = [], []
    for suite in SETTINGS:
        with tempfile.TemporaryDirectory() as folder:
            found, unexplained = verdicts(run(suite, Path(folder)))
        rows, faults = rows + found, faults + unexplained
    if faults:
        sys.exit("\n".join([*faults, "nothing is written"]))
    print(*changes(held(path) if path.exists() else rows, rows), sep="\n")
    write(path, map(asdict, rows))


if __name__ == "__main__":
    main()
