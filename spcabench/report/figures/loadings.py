"""The loadings of the first components as images."""

from __future__ import annotations

import numpy as np

from spcabench.report.figures.fits import COLUMNS, Fits, diverging, first_fits, image_rows, largest
from spcabench.report.figures.style import stack
from spcabench.report.figures.views import View
from spcabench.report.model import Results

NOTE = "Red is positive, blue negative, near-white zero; each image is scaled to its largest magnitude."


def draw(results: Results) -> View | None:
    """Draw methods as rows and components as columns; None without images."""
    return stack(map(_panel, first_fits(results)), "Loadings of the first seed", NOTE)


def _panel(fits: Fits) -> View | None:
    if (shape := fits.image_shape) is None:
        return None
    images = {
        method: [diverging(np.reshape(of, shape), largest(of)) for of in arrays["components"][:COLUMNS]]
        for method, arrays in fits.arrays.items()
    }
    return image_rows(fits, images, "component")
