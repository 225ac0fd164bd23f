"""The loadings of the first components as images."""

from __future__ import annotations

from typing import Any

import numpy as np

from spcabench.report.figures.grid import grid
from spcabench.report.figures.png import Pixels, diverging
from spcabench.report.figures.selection import Fits, first_fits, image_shape, largest
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import stack
from spcabench.report.model import Results

COLUMNS = 8


def draw(results: Results) -> Any:
    """Draw methods as rows and components as columns; None without images."""
    panels = [_panel(fits) for fits in first_fits(results) if image_shape(fits.draw)]
    legend = "Red is positive, blue negative, near-white zero; each image is scaled to its largest magnitude."
    return stack(panels, "Loadings of the first seed", legend)


def _panel(fits: Fits) -> Any:
    shape = image_shape(fits.draw)
    assert shape is not None
    rows = {method: _images(arrays["components"][:COLUMNS], shape) for method, arrays in fits.arrays.items()}
    columns = [str(number + 1) for number in range(max(map(len, rows.values())))]
    return grid(rows, columns, "component", heading(fits.label, fits.stand_in, fits.groups))


def _images(components: Any, shape: tuple[int, int]) -> list[Pixels]:
    return [diverging(np.reshape(loading, shape), largest(loading)) for loading in components]
