"""The loadings of the first seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.style import each_level, one_level, shorten
from spcabench.report.groups import Group
from spcabench.report.model import Results


@dataclass(frozen=True)
class Fits:
    """The loadings of the first seed, by method, and what is known of the draw they were fitted to.

    The groups are all that were to be fitted to it.
    """

    draw_id: str
    draw: dict[str, Any]
    arrays: dict[str, dict[str, NDArray[Any]]]
    groups: list[Group]

    @property
    def n_features(self) -> int:
        """The number of variables."""
        return max(int(arrays["components"].shape[1]) for arrays in self.arrays.values())

    @property
    def names(self) -> list[str]:
        """The names of the variables, or their numbers from 1."""
        names = [shorten(str(name), 20) for name in self.draw.get("feature_names") or ()]
        numbers = [str(number + 1) for number in range(self.n_features)]
        return names if len(names) == len(numbers) else numbers

    @property
    def image_shape(self) -> tuple[int, int] | None:
        """The height and width of the images, or None if the features are not pixels."""
        shape = self.draw.get("image_shape")
        return (int(shape[0]), int(shape[1])) if shape else None


def first_fits(results: Results, every_level: bool = False) -> Iterator[Fits]:
    """Return the fits of the first seed to every data set that has any, at one sparsity level or at each."""
    for dataset in results.datasets:
        chosen = each_level(results, dataset) if every_level else [one_level(results, dataset)]
        yield from filter(None, (_first(results, groups) for groups in chosen))


def _first(results: Results, groups: list[Group]) -> Fits | None:
    columns = ("seed", "key", "draw_id")
    cells = [(group.method, *cell) for group in groups for cell in zip(*map(group.finished, columns), strict=True)]
    seed = min((seed for _, seed, *_ in cells), default=0)
    first = [cell for cell in cells if cell[1] == seed]
    arrays = {method: found for method, _, key, _ in first if (found := results.folder.loadings(str(key)))}
    if not arrays:
        return None
    draw_id = str(first[0][3])
    return Fits(draw_id, results.folder.draw(draw_id) or {}, arrays, groups)


def largest(array: NDArray[Any]) -> float:
    """Return the largest magnitude, or one if all is zero."""
    return float(np.abs(array).max(initial=0.0)) or 1.0
