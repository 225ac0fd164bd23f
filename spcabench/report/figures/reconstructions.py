"""A few samples: originals, as used, and as the components reconstruct them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.grid import grid
from spcabench.report.figures.png import grey
from spcabench.report.figures.selection import Fits, first_fits, image_shape
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import stack
from spcabench.report.model import Results

COLUMNS = 8


def draw(results: Results) -> Any:
    """Draw samples as columns, and what became of them as rows; None without images of samples."""
    panels = [
        _panel(fits, samples)
        for fits in first_fits(results)
        if image_shape(fits.draw) and (samples := results.folder.samples(fits.draw_id)) and "X" in samples
    ]
    components = f"{results.suite.n_components} components, first seed"
    return stack(panels, f"Samples reconstructed from {components}")


def _panel(fits: Fits, samples: dict[str, NDArray[Any]]) -> Any:
    shape = image_shape(fits.draw)
    assert shape is not None
    used = samples["X"][:COLUMNS]
    pictures = {"original": samples["X_clean"][:COLUMNS]} if "X_clean" in samples else {}
    pictures["as used"] = used
    low, high = min(map(np.min, pictures.values())), max(map(np.max, pictures.values()))
    pictures |= {
        method: reconstruct(used, arrays["components"], arrays["mean"]) for method, arrays in fits.arrays.items()
    }
    rows = {
        label: [grey(sample.reshape(shape), low, high) for sample in picture] for label, picture in pictures.items()
    }
    columns = [str(number + 1) for number in range(len(used))]
    return grid(rows, columns, "sample", heading(fits.label, fits.stand_in, fits.groups))


def reconstruct(X: NDArray[Any], components: NDArray[Any], mean: NDArray[Any]) -> NDArray[Any]:
    """Return mean + W W'(x - mean) for every sample x, W being the loadings as columns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    components : ndarray of shape (n_components, n_features)
    mean : ndarray of shape (n_features,)
    """
    return np.asarray(mean + (X - mean) @ components.T @ components)
