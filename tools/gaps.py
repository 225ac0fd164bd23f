"""Run the suite proven_gaps and remake reports/gaps.csv, the gaps of all methods to proved optima.

::

    python tools/gaps.py
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from snapshots import REPORTS, write

import spcabench
from spcabench.store.status import FINISHED

COMMAND = "python tools/gaps.py"
CSV = REPORTS / "gaps.csv"

RUN = REPORTS / "proven_gaps"
"""The folder of the run, which is resumed if it is there."""

PROVED = 1e-7
"""A gap up to this is none: the proofs end at 1e-9."""


def entry(row: pd.Series) -> str:
    """Write the gap of a cell."""
    if row["status"] not in FINISHED or pd.isna(row["gap"]):
        return "-"
    shown = "0" if row["gap"] <= PROVED else f"{100 * row['gap']:.2f}"
    return f"({shown})" if row["missed_components"] > 0 else shown


def reached(rows: pd.DataFrame, column: str) -> int:
    """Count the targets that are met with no gap."""
    return int(((rows[column] <= PROVED) & ~(rows["missed_components"] > 0)).sum())


def rows(data: str, frame: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Yield the rows of a data set: the proved optima, and the gaps of each method."""
    frame = frame[frame["n_nonzero"].notna()]
    sizes = sorted(set(frame["n_nonzero"]))
    optima = frame[frame["method"] == "exact"].set_index("n_nonzero")
    yield {"data": data, "method": "optimum", **{str(k): f"{optima.loc[k, 'component_value@1']:.5g}" for k in sizes}}
    for method, cells in frame.groupby("method", sort=False):
        by_size = {row["n_nonzero"]: entry(row) for _, row in cells.iterrows()}
        counts = {"optima": reached(cells, "gap"), "of supports": reached(cells, "gap_refitted")}
        yield {"data": data, "method": str(method), **{str(k): by_size.get(k, "-") for k in sizes}, **counts}


def main() -> None:
    """Run the suite, and write the snapshot."""
    found = spcabench.run("proven_gaps", RUN, isolation=False, progress=False).frame
    write(CSV, [row for data, frame in found.groupby("dataset", sort=False) for row in rows(str(data), frame)])


if __name__ == "__main__":
    main()
