"""Handwritten digits of 8 by 8 pixels that come with scikit-learn: a stand-in for MNIST without a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, DatasetSpec, Either, Parameter, Whole, hookimpl
from spcabench_datasets._images import PARAMETERS, image_dataset, image_spec, train_and_test

SIZE = 8
BRIGHTEST = 16.0


def load(
    rng: np.random.Generator,
    digit: int | str,
    enlarge: int | None,
    contamination: Mapping[str, Any] | None,
    per_class: int | None,
    test_per_class: int,
) -> Dataset:
    """Load the digits, pixels from 0 to 255."""
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
            parameters={
                **PARAMETERS,
                "enlarge": Parameter(
                    None,
                    Either(NOTHING, Whole(SIZE, 64)),
                    "enlarge to as many pixels a side, by cubic splines; null leaves 8",
                ),
            },
            source="Alpaydin and Kaynak 1998, optical recognition of handwritten digits, 1797 test images",
            licence="CC BY 4.0 (UCI machine learning repository)",
        )
    ]
