"""Handwritten digits of 8 by 8 pixels that come with scikit-learn: a stand-in for MNIST without a network."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, DatasetSpec, Either, Whole, hookimpl
from spcabench_datasets._images import (
    Contamination,
    Digit,
    PerClass,
    TestPerClass,
    image_dataset,
    image_spec,
    train_and_test,
)

SIZE = 8
BRIGHTEST = 16.0


def load(
    rng: np.random.Generator,
    digit: Digit = "all",
    enlarge: Annotated[int | None, Either(NOTHING, Whole(SIZE, 64))] = None,
    contamination: Contamination = None,
    per_class: PerClass = None,
    test_per_class: TestPerClass = 0,
) -> Dataset:
    """Load the digits, pixels from 0 to 255.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the images that are kept or held out, and the contamination.
    digit : int or "all"
        The digit shown, or all ten.
    enlarge : int, optional
        Enlarge to as many pixels a side, by cubic splines; null leaves 8.
    contamination : mapping, optional
        How the images are corrupted: by noise a random share of them gets a block of random dots, by outliers images of
        nothing else are added; null: as published.
    per_class : int, optional
        Train on as many images of each digit, drawn at random; null: all.
    test_per_class : int
        Hold out as many images of each digit for testing.
    """
    from sklearn.datasets import load_digits

    found = load_digits()
    images = found.images if enlarge is None else _enlarged(found.images, enlarge)
    pixels = np.clip(images * (255.0 / BRIGHTEST), 0.0, 255.0)
    pixels, labels, held_out = train_and_test(rng, pixels, found.target, per_class, test_per_class)
    return image_dataset(rng, pixels, labels, held_out=held_out, digit=digit, contamination=contamination)


def _enlarged(images: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    from scipy.interpolate import make_interp_spline

    spline = make_interp_spline(np.arange(SIZE), np.eye(SIZE), k=3)
    weights = np.asarray(spline(np.linspace(0, SIZE - 1, size)))
    return np.asarray(weights @ images @ weights.T)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the digits."""
    return [
        image_spec(
            name="digits",
            load="spcabench_datasets.digits:load",
            title="handwritten digits of scikit-learn, 8 x 8 or enlarged",
            source="Alpaydin and Kaynak 1998, optical recognition of handwritten digits, 1797 test images",
            licence="CC BY 4.0 (UCI machine learning repository)",
        )
    ]
