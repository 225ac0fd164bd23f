"""Solution paths: every loading against the bound on the l1 norm, and what changes along the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.style import Fits, first_fits, heading, label_of, looks, looks_of, stack
from spcabench.report.figures.views import View, join
from spcabench.report.model import Results
from spcabench.traces import PathTable, paths_of

COMPONENTS = 2

MOST_METHODS = 3
"""Methods with whole paths beyond these are left out."""

NEARLY = 0.9
"""A path that starts with a smaller share of the features is not whole; some may not vary."""

OF_LOADINGS = (
    "Unit loadings against their l1 norm, logarithmic: from one nonzero at the left to the dense loading at the "
    "right. A line ends where its variable leaves."
)

OF_CURVES = "The iterates w as the method makes them, from the dense loading to one nonzero; their first component."


Paths = dict[int, PathTable]
"""The paths of a method, by component from 0."""


def solution_path(results: Results) -> View | None:
    """Draw one row for each method with whole paths, its first components side by side; None if there is none."""
    rows = (
        join(
            "hconcat",
            [_profile(fits, of[j], j) for j in range(COMPONENTS) if j in of],
            spacing=24,
            title=heading(fits.groups, f"{label_of(fits.groups)}: {method}"),
        )
        for fits, method, of in _whole_paths(results)
    )
    return stack(rows, "Loadings along the solution path", OF_LOADINGS)


def _whole_paths(results: Results) -> Iterator[tuple[Fits, str, Paths]]:
    """Yield the paths of the first methods, data set by data set, whose first path leads from all features to one."""
    for fits in first_fits(results):
        known = ((method, paths_of(arrays)) for method, arrays in fits.arrays.items())
        ends = ((method, of, of[0].cardinality) for method, of in known if 0 in of and len(of[0].step) > 1)
        whole = ((fits, method, of) for method, of, n in ends if n[-1] == 1 and n[0] >= NEARLY * fits.n_features)
        yield from islice(whole, MOST_METHODS)


def _profile(fits: Fits, table: PathTable, component: int) -> View:
    """Draw the path of one component: a line for each variable that is ever nonzero, coloured if it stays long."""
    often, bound = Counter(fits.names), np.maximum(table.bound, 1.0).tolist()
    names = [name if often[name] == 1 else f"{name} ({number})" for number, name in enumerate(fits.names, 1)]
    gone = {j: int(np.flatnonzero(of)[-1]) + 1 for j, of in enumerate(table.loadings.T) if of.any()}
    shown = {j: names[int(table.features[j])] for j in gone}  # those that stay longest first
    units = table.loadings / np.sqrt(table.l2_squared)[:, None]
    points = [
        Point(name, bound[step], float(units[step, j]))
        for j, name in shown.items()
        for step in range(min(gone[j] + 1, len(table.step)))
    ]
    axes = Axes("l1 norm of the loading (left is sparser)", "loading", log_x=True, bounds={"": 0.0})
    few = f": {len(shown)} of {int(table.cardinality[0])} variables, those that stay longest"
    text = f"component {component + 1}{few if len(shown) < table.cardinality[0] else ''}"
    title = {"text": text, "frame": "group", "offset": 16, "fontWeight": "normal"}
    return panel(points, looks_of(list(shown.values())), axes, title=title)


def path_curves(results: Results) -> View | None:
    """Draw one row of three panels for each method with whole paths; None if there is none."""
    rows = (_curves(results, *one) for one in _whole_paths(results))
    return stack(rows, "Norms and objective along the solution path", OF_CURVES)


def _curves(results: Results, fits: Fits, method: str, paths: Paths) -> View:
    """Draw three curves above zero, so that rounding does not look like a change."""
    table = paths[0]
    shown = {"l1 norm": table.l1, "squared l2 norm": table.l2_squared, "objective w'Sw": table.variance}
    panels = []
    for says, values in shown.items():
        points = [Point(method, float(x), float(y)) for x, y in zip(table.step, values, strict=True)]
        axes = Axes("step of the path", f"{says}: {values[0]:.4g} to {values[-1]:.4g}", bounds={"": 0.0})
        panels.append(panel(points, looks(results), axes))
    return join("hconcat", panels, spacing=20, title=heading(fits.groups, f"{label_of(fits.groups)}: {method}"))
