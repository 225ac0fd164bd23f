"""Means over the seeds with their 95 % intervals, and the data sets of a grid that they are drawn over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench.analysis.intervals import Interval, mean_interval, wilson
from spcabench.report.figures.curves import Point
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results
from spcabench.suite.columns import Column

NOTE = "Bars are 95 % intervals of means over the seeds; of shares, where a fit is right or wrong, Wilson's."

UNKNOWN = Interval(-np.inf, np.inf)


@dataclass(frozen=True)
class Mean(Point):
    """A mean over the seeds with its interval."""

    interval: Interval = UNKNOWN

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.y if np.isinf(self.interval.low) else self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.y if np.isinf(self.interval.high) else self.interval.high

    @classmethod
    def of(cls, method: str, x: float, values: Sequence[float], share: bool = False) -> Mean:
        """Summarise some values, at least one of them; as a share, they are 0 or 1."""
        spread = Spread.of(values)
        interval = wilson(round(sum(values)), len(values)) if share else mean_interval(values)
        return cls(method, x, spread.mean, spread.sd, interval)


def means(placed: Sequence[tuple[float, Group]], column: Column) -> list[Mean]:
    """Return the mean of a column for each group that has it, at its place.

    A column that says of every fit whether it is right, 0 or 1, and of the groups together both, is a share.
    """
    known = [(group.method, place, [*group.known(column).values()]) for place, group in placed]
    share = column.range == (0.0, 1.0) and {value for *_, values in known for value in values} == {0.0, 1.0}
    return [Mean.of(method, place, values, share) for method, place, values in known if values]


def geometric(placed: Sequence[tuple[float, Group]], column: Column) -> list[Mean]:
    """Return the geometric mean of times for each group that has any, at its place; of one seed, of its repeats."""
    found = []
    for place, group in placed:
        if values := [float(time) for time in _times(group, column) if time > 0]:
            mean = Mean.of(group.method, place, list(map(float, np.log(values))))
            ends = Interval(*(float(np.exp(end)) for end in (mean.interval.low, mean.interval.high)))
            interval = mean.interval if np.isinf(mean.interval.low) else ends
            found.append(Mean(group.method, place, float(np.exp(mean.y)), mean.sd, interval))
    return found


def _times(group: Group, column: Column) -> Iterable[float]:
    """Return the seconds of each seed, or of each repeat of a fit where there is one seed."""
    repeats = group.measured("wall_times")
    if column.name == "fit_time" and len(repeats) == 1 and len(repeats[0]) > 1:
        return list(repeats[0])
    return group.known(column).values()


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

    @classmethod
    def of(cls, name: str, parameter: str, values: Mapping[str, Any]) -> Sweep | None:
        """Order the values; None if they are not numbers that differ."""
        numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values.values())
        if not numeric:
            return None
        return cls(name, parameter, {at: float(of) for at, of in sorted(values.items(), key=lambda item: item[1])})


def by_parameter(results: Results) -> Iterator[Sweep]:
    """Return the grids of data sets with exactly one axis, that being numeric."""
    for name, known in _grids(results).items():
        varying = {
            parameter: {label: params.get(parameter) for label, params in known.items()}
            for parameter in dict.fromkeys(parameter for params in known.values() for parameter in params)
            if len({repr(params.get(parameter)) for params in known.values()}) > 1
        }
        if len(varying) == 1 and (sweep := Sweep.of(name, *next(iter(varying.items())))):
            yield sweep


def by_size(results: Results) -> Iterator[Sweep]:
    """Return the grids of data sets of different numbers of variables, or else of samples, or else of a parameter."""
    drawn = dict(results.draws())
    other = {sweep.name: sweep for sweep in by_parameter(results) if min(sweep.values.values()) > 0}
    for name, known in _grids(results).items():
        sizes = {
            says: {label: drawn[label].get(fact) for label in known}
            for fact, says in (("n_features", "number of variables d"), ("n_samples", "number of samples n"))
        }
        apart = (Sweep.of(name, says, of) for says, of in sizes.items() if len(set(of.values())) == len(of) > 1)
        if sweep := next(filter(None, apart), other.get(name)):
            yield sweep


def _grids(results: Results) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the parameters of the data sets as recorded, by name and label."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for label, keys in results.frame.groupby("dataset", sort=False)["key"]:
        records = (results.folder.record(str(key)) for key in keys if key)
        draw: Mapping[str, Any] = next((record.cell.get("draw", {}) for record in records if record), {})
        if draw:
            found.setdefault(str(draw["dataset"]), {})[str(label)] = dict(_flat(draw["params"]))
    return found


def _flat(params: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in params.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            alone = isinstance(value, list) and len(value) == 1  # one spike is the number it is
            yield f"{before}{name}", value[0] if alone else value
