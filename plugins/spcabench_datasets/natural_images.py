"""Patches of natural images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spcabench import FLAG, Dataset, DatasetSpec, Parameter, Whole, hookimpl
from spcabench_datasets._local import PATH, local_file

ADVICE = "it holds the 13 grey photographs of Hyvarinen, Hurri and Hoyer 2009 as arrays of an .npz archive"


def load(rng: np.random.Generator, n: int, size: int, remove_mean: bool, path: str | None) -> Dataset:
    """Cut square patches at random places, each image as often as its area allows."""
    file = local_file(path, "natural_images", "hyvarinen13_grey_uint8.npz", ADVICE)
    with np.load(file, allow_pickle=False) as archive:
        images = [archive[name].astype(np.float64) for name in sorted(archive.files)]
    X = _patches(rng, images, n, size)
    if remove_mean:
        X -= X.mean(axis=1, keepdims=True)
    return Dataset(X=X, image_shape=(size, size), files=(file,))


def _patches(rng: np.random.Generator, images: list[NDArray[np.float64]], n: int, size: int) -> NDArray[np.float64]:
    smallest = min(min(image.shape) for image in images)
    if size > smallest:
        raise ValueError(f"size is {size}; valid is up to {smallest}, the smallest side of the images")
    places = np.array([(image.shape[0] - size + 1) * (image.shape[1] - size + 1) for image in images])
    X = np.empty((n, size * size))
    for row, chosen in enumerate(rng.choice(len(images), n, p=places / places.sum())):
        image = images[chosen]
        top, left = rng.integers(image.shape[0] - size + 1), rng.integers(image.shape[1] - size + 1)
        X[row] = image[top : top + size, left : left + size].ravel()
    return X


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the patches."""
    return [
        DatasetSpec(
            name="natural_images",
            load="spcabench_datasets.natural_images:load",
            title="patches of 13 grey photographs",
            parameters={
                "n": Parameter(5000, Whole(2), "patches"),
                "size": Parameter(13, Whole(1), "pixels of a side"),
                "remove_mean": Parameter(False, FLAG, "subtract the mean grey level of each patch"),
                "path": PATH,
            },
            provides=frozenset({"samples", "image"}),
            source="Hyvarinen, Hurri and Hoyer 2009, Natural Image Statistics, Springer",
            licence="none stated by its authors",
        )
    ]
