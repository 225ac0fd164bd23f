"""What of the results a figure shows that has room for one sparsity level and one seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.style import shorten
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.store.frame import Level


def one_level(results: Results, dataset: str) -> list[Group]:
    """Return the groups of a data set at the middle one of its sparsity levels, and those without a level.

    The methods are in the order of the suite.
    """
    levels = each_level(results, dataset)
    return levels[len(levels) // 2]


def each_level(results: Results, dataset: str) -> list[list[Group]]:
    """Return the groups of a data set at each of its sparsity levels, each time with those without a level."""
    groups = results.of_dataset(dataset)
    levels = list(dict.fromkeys(group.level for group in groups if group.level)) or [Level()]
    place = {method: place for place, method in enumerate(results.methods)}
    ordered = sorted(groups, key=lambda group: place[group.method])
    return [[group for group in ordered if group.level in (Level(), level)] for level in levels]


def level_of(groups: list[Group]) -> str:
    """Name the sparsity level of the groups, if they have one."""
    level = next((group.level for group in groups if group.level), Level())
    return f"target: {level} {'nonzero' if level == Level(1) else 'nonzeros'}" if level else ""


def label_of(groups: list[Group]) -> str:
    """Head a panel with its data set and sparsity level."""
    return ", ".join(filter(None, (groups[0].dataset, level_of(groups))))


@dataclass(frozen=True)
class Fits:
    """The loadings of the first seed, by method, and what is known of the draw they were fitted to.

    The groups are all that were to be fitted to it.
    """

    label: str
    stand_in: bool
    draw_id: str
    draw: dict[str, Any]
    arrays: dict[str, dict[str, NDArray[Any]]]
    groups: list[Group]


def first_fits(results: Results) -> Iterator[Fits]:
    """Return the fits of the first seed to every data set that has any, in the order of the suite, at one level."""
    return _first(results, (one_level(results, dataset) for dataset in results.datasets))


def first_fits_each_level(results: Results) -> Iterator[Fits]:
    """Return the fits of the first seed to every data set that has any, at each of its sparsity levels."""
    return _first(results, (groups for dataset in results.datasets for groups in each_level(results, dataset)))


def _first(results: Results, chosen: Iterable[list[Group]]) -> Iterator[Fits]:
    for groups in chosen:
        cells = [cell for group in groups for cell in group.finished.to_dict("records")]
        if not cells:
            continue
        seed = min(cell["seed"] for cell in cells)
        arrays = {
            str(cell["method"]): found
            for cell in cells
            if cell["seed"] == seed and (found := results.folder.loadings(str(cell["key"])))
        }
        first = next(cell for cell in cells if cell["seed"] == seed)
        draw_id = str(first["draw_id"])
        if arrays:
            yield Fits(
                label_of(groups),
                bool(first["stand_in"]),
                draw_id,
                results.folder.draw(draw_id) or {},
                arrays,
                groups,
            )


def n_features(fits: Fits) -> int:
    """Return the number of variables."""
    return max(int(arrays["components"].shape[1]) for arrays in fits.arrays.values())


def feature_names(fits: Fits) -> list[str]:
    """Return the names of the variables, or their numbers from 1."""
    names = [shorten(str(name), 20) for name in fits.draw.get("feature_names") or ()]
    d = n_features(fits)
    return names if len(names) == d else [str(number + 1) for number in range(d)]


def image_shape(draw: dict[str, Any]) -> tuple[int, int] | None:
    """Return the height and width of a draw's images, or None if its features are not pixels."""
    shape = draw.get("image_shape")
    return (int(shape[0]), int(shape[1])) if shape else None


def largest(array: NDArray[Any]) -> float:
    """Return the largest magnitude, or one if all is zero."""
    return float(np.abs(array).max(initial=0.0)) or 1.0
