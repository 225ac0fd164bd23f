"""Keep the curves of a full run: a small table of them and their figure.

::

    spcabench run hastie_noise --scale full
    python tools/curves.py reports/hastie_noise-full

It writes ``reports/curves/SUITE.csv`` and copies the figure ``parameter_curve`` to ``reports/gallery/SUITE_full.png``.
A point of the table is the mean over ten successive values of the parameter, as in the papers' figures and in ours; of
these points at most a hundred a method are kept, evenly.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from snapshots import REPORTS, Row, write

from spcabench.plugins import load_registry
from spcabench.report.figures.points import Point
from spcabench.report.figures.sweeps import Sweep, averaged, by_parameter
from spcabench.report.find_run import existing_run, gathered
from spcabench.report.model import Results

MOST_POINTS = 100


def rows(results: Results, metric: str) -> Iterator[Row]:
    """Return the points of the curves of all methods."""
    for sweep in by_parameter(results):
        for method in results.methods:
            for point in thinned(list(averaged(curve(results, sweep, method, metric)))):
                yield {
                    "method": method,
                    "parameter": sweep.parameter,
                    "value": f"{point.x:g}",
                    "metric": metric,
                    "mean": f"{point.y:.4f}",
                }


def curve(results: Results, sweep: Sweep, method: str, metric: str) -> list[Point]:
    """Return one method's numbers in the order of the parameter, where there are any."""
    frame = results.frame[results.frame["method"] == method]
    means = frame.groupby("dataset")[metric].mean().dropna()
    return [Point(method, value, float(means[name])) for name, value in sweep.values.items() if name in means]


def thinned(points: Sequence[Point]) -> list[Point]:
    """Keep a hundred points at most, evenly, the first and the last among them."""
    if len(points) <= MOST_POINTS:
        return list(points)
    return [points[round(step * (len(points) - 1) / (MOST_POINTS - 1))] for step in range(MOST_POINTS)]


def main(runs: Sequence[str], reports: Path = REPORTS) -> None:
    """Keep the curves of each run."""
    registry = load_registry()
    for run in runs:
        loaded, folder = existing_run(run, registry)
        results = gathered(loaded, folder, registry)
        found = [row for metric in ("mr", "mr_matched") for row in rows(results, metric)]
        (reports / "curves").mkdir(exist_ok=True)
        write(reports / "curves" / f"{loaded.suite.name}.csv", found)
        picture = folder.path / "figures" / "parameter_curve.png"
        shutil.copy(picture, reports / "gallery" / f"{loaded.suite.name}_full.png")
        print(f"{loaded.suite.name}: {len(found)} points")


if __name__ == "__main__":
    main(sys.argv[1:])
