"""Patches of photographs, from the folder that SPCABENCH_DATA names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench import FLAG, NOTHING, Dataset, DatasetSpec, DataUnavailable, Either, Text, Whole, hookimpl, local_file

FileName = Annotated[str | None, Either(NOTHING, Text("a file"))]
PLACE = "natural_images/hyvarinen13_grey_uint8.npz"


def file_at(path: str | None, place: str, advice: str) -> Path:
    """Return the file named by `path`, or what lies at a place below the folder that SPCABENCH_DATA names.

    Raises
    ------
    DataUnavailable
        If it is not there; the message says where to get it.
    """
    found = local_file(place) if path is None else Path(path).expanduser()
    if found is None or not found.is_file():
        where = f"SPCABENCH_DATA names no folder with {place}" if found is None else f"there is no {found}"
        raise DataUnavailable(f"{where}; set the parameter path to the file, or SPCABENCH_DATA; {advice}")
    return found


ADVICE = "it holds the 13 grey photographs of Hyvarinen, Hurri and Hoyer 2009 as arrays of an .npz archive"


def load_natural_images(
    rng: np.random.Generator,
    n: Annotated[int, Whole(2)] = 5000,
    size: Annotated[int, Whole(1)] = 13,
    remove_mean: Annotated[bool, FLAG] = False,
    path: FileName = None,
) -> Dataset:
    """Cut square patches at random places, each image as often as its area allows.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    n : int
        Patches.
    size : int
        Pixels of a side.
    remove_mean : bool
        Subtract the mean grey level of each patch.
    path : str, optional
        The file; null: the folder that SPCABENCH_DATA names is searched.

    Raises
    ------
    DataUnavailable
        If the file is not there.
    ValueError
        If a patch is larger than an image.
    """
    from spcabench import read_arrays

    file = file_at(path, PLACE, ADVICE)
    images = [image.astype(np.float64) for _, image in sorted(read_arrays(file).items())]
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
            load="spcabench_datasets.natural_images:load_natural_images",
            title="patches of 13 grey photographs",
            provides=frozenset({"samples", "image"}),
            source="Hyvarinen, Hurri and Hoyer 2009, Natural Image Statistics, Springer",
            licence="none stated by its authors",
            place=PLACE,
        ),
    ]
