"""What random supports reach by a metric of recovery: its floor, which is not 0."""

from __future__ import annotations

import math
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from spcabench.importing import resolve
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.specs import Array, Dataset, Evaluation, Fitted, Moments
from spcabench.suite.columns import Column

TRIES = 200
"""Random fits over the draws of a data set: enough for a mean that is known to a hundredth of what a metric from 0 to 1
spans."""


def by_chance(results: Results, column: Column, group: Group) -> float:
    """Return the mean of a metric of supports over random fits; nan where the true supports are not kept.

    Parameters
    ----------
    results : Results
        A run.
    column : Column
        The metric.
    group : Group
        Cells at a target: each random fit has its components and nonzeros, at places that are all as likely.  So the
        components are matched to the true ones as those of any method are, which raises the floor.
    """
    kept = (results.folder.draw_record(str(draw_id)) for draw_id in dict.fromkeys(group.cells("draw_id")))
    draws = [draw for draw in kept if draw is not None and draw.supports]
    if not draws:
        return math.nan
    metric = results.metrics[column.metric]
    params = next((entry.params for entry in results.suite.metrics if entry.name == column.metric), {})
    compute, rng = resolve(metric.compute), np.random.default_rng(0)
    found = []
    for number in range(TRIES):
        draw = draws[number % len(draws)]
        true = np.zeros((len(draw.supports), draw.n_features), dtype=bool)
        for row, support in zip(true, draw.supports, strict=True):
            row[list(support)] = True
        value = compute(_evaluation(true, _random(group, draw.n_features, rng)), **params)
        found.append(float(value if column.index is None else value[column.index]))
    return fmean(found)


def _random(group: Group, n_features: int, rng: np.random.Generator) -> Array:
    target = group.level.target
    sizes = target if isinstance(target, tuple) else (target or n_features,) * group.n_components
    components = np.zeros((len(sizes), n_features))
    for row, size in zip(components, sizes, strict=True):
        row[rng.choice(n_features, size, replace=False)] = size**-0.5
    return components


def _evaluation(true: NDArray[np.bool_], components: Array) -> Evaluation:
    nothing = np.zeros((1, true.shape[1]))
    return Evaluation(
        dataset=Dataset(X=nothing, supports=true),
        fitted=Fitted(components=components, mean=nothing[0]),
        moments=Moments(X=nothing),
    )
