"""A few samples: originals, as used, and as the components reconstruct them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.fits import COLUMNS, Fits, first_fits, grey, image_rows
from spcabench.report.figures.style import stack
from spcabench.report.figures.views import View
from spcabench.report.model import Results


def draw(results: Results) -> View | None:
    """Draw samples as columns, and what became of them as rows; None without images of samples."""
    panels = (_panel(fits, results.folder.samples(fits.draw_id)) for fits in first_fits(results) if fits.image_shape)
    return stack(panels, f"Samples reconstructed from {results.suite.n_components} components, first seed")


def _panel(fits: Fits, samples: dict[str, NDArray[Any]] | None) -> View | None:
    if not samples or "X" not in samples:
        return None
    used = samples["X"][:COLUMNS]
    pictures = {"original": samples["X_clean"][:COLUMNS]} if "X_clean" in samples else {}
    pictures["as used"] = used
    low, high = min(map(np.min, pictures.values())), max(map(np.max, pictures.values()))
    for method, arrays in fits.arrays.items():
        pictures[method] = reconstruct(used, arrays["components"], arrays["mean"])
    shape = (-1, *(fits.image_shape or ()))
    rows = {label: [grey(image, low, high) for image in of.reshape(shape)] for label, of in pictures.items()}
    return image_rows(fits, rows, "sample")


def reconstruct(X: NDArray[Any], components: NDArray[Any], mean: NDArray[Any]) -> NDArray[Any]:
    """Return mean + W W'(x - mean) for every sample x, W being the loadings as columns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    components : ndarray of shape (n_components, n_features)
    mean : ndarray of shape (n_features,)
    """
    return np.asarray(mean + (X - mean) @ components.T @ components)
