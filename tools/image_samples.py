"""Draw Figure 4 of the RSPCA paper, images as they are, with noise and of outliers, into the gallery.

::

    python tools/image_samples.py

They are drawn as the suites mnist_noise and mnist_outlier have them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from gallery import main as kept
from numpy.typing import NDArray
from shipped import shipped
from spcabench_datasets import mnist

from spcabench import Dataset

N, ZOOM = 12, 4
"""Images in a row, and pixels a pixel."""


def drawn(suite: str) -> Dataset:
    """Draw the first data set of a suite."""
    return mnist.load(np.random.default_rng(0), **shipped(suite).suite.datasets[0].params)


def row(images: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return images side by side, black on white."""
    pictures = [np.pad(255 - image.reshape(shape).astype(np.uint8), 2, constant_values=200) for image in images[:N]]
    return np.hstack(pictures)


def main() -> None:
    """Draw the three rows."""
    from PIL import Image  # which the tests have not

    noise, outliers = drawn("mnist_noise"), drawn("mnist_outlier")
    assert noise.X is not None
    assert noise.X_clean is not None
    assert noise.image_shape is not None
    assert outliers.X is not None
    changed = np.flatnonzero((noise.X_clean != noise.X).any(axis=1))
    rows = [noise.X_clean[changed], noise.X[changed], outliers.X[outliers.y == -1]]
    whole = np.vstack([row(images, noise.image_shape) for images in rows])
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "samples.png"
        Image.fromarray(whole.repeat(ZOOM, axis=0).repeat(ZOOM, axis=1)).save(file)
        kept([f"mnist_samples={file}"])


if __name__ == "__main__":
    main()
