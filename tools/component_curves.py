"""Draw Figures 4b and 4d of the COP-PCA paper, variance accumulated component by component, into the gallery.

::

    spcabench run cop_pitprops
    spcabench run cop_colon
    python tools/component_curves.py [FOLDER]

FOLDER has both runs, by default it is `reports`.  A curve is the sum of `component_variance` over the first components,
at the nonzeros of the paper; methods that missed them, or reach them only in total, have none.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from gallery import main as kept
from snapshots import REPORTS

from spcabench.plugins import load_registry
from spcabench.report.figures import Figure
from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.style import looks
from spcabench.report.figures.views import View, join
from spcabench.report.find_run import existing_run, gathered
from spcabench.report.groups import track_of
from spcabench.report.model import Results

PANELS = {
    "cop_pitprops": ("4", "pitprops, six components of four nonzeros"),
    "cop_colon": ("1000", "colon, ten components of 1000 genes"),
}


def curves(results: Results, nonzeros: str) -> Iterator[Point]:
    """Yield the points of the methods that the paper has, if each component has so many nonzeros, or all are dense."""
    columns = results.series["component_variance"]
    printed = {row.method for block in results.suite.published for row in block.rows}
    for group in results.groups:
        track = track_of(group)
        in_total = track is not None and track.kind == "total"
        if group.method in printed and str(group.level) in (nonzeros, "") and group.reached and not in_total:
            for number, share in enumerate(np.cumsum([group.spread(column).mean for column in columns]), 1):
                yield Point(group.method, float(number), float(share))


def drawn(results: Results, nonzeros: str, title: str) -> View:
    """Draw one panel."""
    axes = Axes("number of components", "variance accumulated, share (higher is better)", whole=True, within=(0.0, 1.0))
    return panel(list(curves(results, nonzeros)), looks(results), axes, title=title)


def main(folder: Path = REPORTS) -> None:
    """Draw both panels."""
    registry = load_registry()
    runs = {suite: gathered(*existing_run(str(folder / suite), registry), registry) for suite in PANELS}
    chart = join("hconcat", [drawn(runs[suite], *said) for suite, said in PANELS.items()], spacing=24)
    with tempfile.TemporaryDirectory() as place:
        picture = Figure("components", "Variance by component", "", chart).save(Path(place) / "curves.png")
        kept([f"cop_components={picture}"])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
