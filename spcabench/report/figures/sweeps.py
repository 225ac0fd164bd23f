"""Curves over the data sets of a grid: metrics against the parameter in which they differ, and times against size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from spcabench.report.figures.bars import MOST_METRICS
from spcabench.report.figures.curves import BARS, Axes, Point, geometric, means, panel
from spcabench.report.figures.style import heading, level_of, looks, one_level, stack
from spcabench.report.figures.views import View, join
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.suite.columns import Column

TIME = Column("fit_time", unit="s")

MOST_VALUES = 100
"""A curve over more values of the parameter is averaged."""

WIDE = 10.0
"""Values that differ by this factor or more are drawn on a logarithmic axis."""

SUCCESSIVE = 10
"""So many successive values make a point then, as in the figures of Zhao, Meng and Xu 2014."""

OF_TIMES = "Geometric means over the seeds with 95 % intervals; the slope is the power at which the time grows."

CONTENDED = " Contended: other work shared the machine, so that the times are too long."


@dataclass(frozen=True)
class Sweep:
    """Data sets of one name, in rising order of the number in which they differ.

    Parameters
    ----------
    name : str
        The data set.
    parameter : str
        The number; that of an inner mapping with a dot, as in ``contamination.fraction``.
    values : dict of str to float
        It, by the label of the data set.
    """

    name: str
    parameter: str
    values: dict[str, float]

    def placed(self, results: Results) -> list[tuple[float, Group]]:
        """Return what is shown of each data set, with its number."""
        return [(value, group) for label, value in self.values.items() for group in one_level(results, label)]


def by_parameter(results: Results) -> Iterator[Sweep]:
    """Return the grids of data sets with exactly one axis, that being numeric."""
    for name, known in _grids(results).items():
        table = pd.json_normalize(list(known.values())).map(_alone).infer_objects()
        varying = [str(parameter) for parameter in table if table[parameter].map(repr).nunique() > 1]
        values = table[varying[0]].tolist() if len(varying) == 1 else []
        if values and all(type(value) in (int, float) and not math.isnan(value) for value in values):
            placed = sorted(zip(known, map(float, values), strict=True), key=itemgetter(1))
            yield Sweep(name, varying[0], dict(placed))


def _grids(results: Results) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the parameters of the data sets as recorded, by name and label."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for label, keys in results.frame.groupby("dataset", sort=False)["key"]:
        records = (results.folder.record(str(key)) for key in keys if key)
        draw: Mapping[str, Any] = next((record.cell.get("draw", {}) for record in records if record), {})
        if draw:
            found.setdefault(str(draw["dataset"]), {})[str(label)] = draw["params"]
    return found


def _alone(value: Any) -> Any:
    """Return the number that a list of one is: one spike."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def parameter_curve(results: Results) -> View | None:
    """Draw one panel for each metric of the main table with a direction; None without such a grid."""
    rows = (_metrics(results, sweep) for sweep in by_parameter(results))
    return stack(rows, "Metrics against a parameter of the data", BARS)


def _metrics(results: Results, sweep: Sweep) -> View | None:
    drawn = ((_axes(results, sweep, column), _points(results, sweep, column)) for column in results.drawn)
    known = islice(((axes, points) for axes, points in drawn if points), MOST_METRICS)
    panels = [panel(points, looks(results), axes) for axes, points in known]
    groups = [group for _, group in sweep.placed(results)]
    head = heading(groups, ", ".join(filter(None, (sweep.name, level_of(groups)))))
    return join("concat", panels, columns=2, spacing=24, title=head) if panels else None


def _axes(results: Results, sweep: Sweep, column: Column) -> Axes:
    many = len(sweep.values) > MOST_VALUES
    low, high = min(sweep.values.values()), max(sweep.values.values())
    return Axes(
        sweep.parameter + (f", averaged over {SUCCESSIVE} successive values" if many else ""),
        f"{column.name} ({column.better} is better)",
        within=column.range,
        log_x=low > 0 and high / low >= WIDE and not many,
        log_y=column.unit == "s",
        marks=not many,
        places=results.suite.report.marks,
    )


def _points(results: Results, sweep: Sweep, column: Column) -> list[Point]:
    """Return the points of a metric, or none if it is known at one value of the parameter alone."""
    points = (geometric if column.unit == "s" else means)(sweep.placed(results), column)
    if len(sweep.values) > MOST_VALUES:
        points = [point for method in results.methods for point in averaged([p for p in points if p.method == method])]
    return points if len({point.x for point in points}) > 1 else []


def averaged(curve: Sequence[Point]) -> Iterator[Point]:
    """Average a curve over successive values; a point has no bar then.

    Examples
    --------
    >>> [(point.x, point.y) for point in averaged([Point("a", float(x), 2.0 * x) for x in range(1, 21)])]
    [(5.5, 11.0), (15.5, 31.0)]
    """
    for start in range(0, len(curve), SUCCESSIVE):
        some = curve[start : start + SUCCESSIVE]
        x, y = np.mean([(point.x, point.y) for point in some], axis=0).tolist()
        yield Point(some[0].method, x, y)


def scaling(results: Results) -> View | None:
    """Draw one panel for each data set that comes in several sizes, both axes logarithmic; None if there is none."""
    shared = any(shared is True for shared in results.frame["contended"])
    note = OF_TIMES + (CONTENDED if shared else "")
    rows = (_times(results, sweep) for sweep in by_parameter(results) if min(sweep.values.values()) > 0)
    return stack(rows, "How the time of a fit grows", note)


def _times(results: Results, sweep: Sweep) -> View | None:
    """Draw the times of one grid; a method is named with its slope."""
    placed = sweep.placed(results)
    points = geometric(placed, TIME)
    if len({point.x for point in points}) < 2:
        return None
    names = {}
    for name in results.methods:
        curve = np.log([(point.x, point.y) for point in points if point.method == name])
        if len(curve) > 1:
            slope = np.polyfit(curve[:, 0], curve[:, 1], 1)[0]
            names[name] = f"{name}: slope {slope:.1f}"
    axes = Axes(sweep.parameter, "time of a fit (s, lower is better)", log_x=True, log_y=True, marks=True)
    return panel(points, looks(results), axes, names, title=heading([group for _, group in placed], sweep.name))
