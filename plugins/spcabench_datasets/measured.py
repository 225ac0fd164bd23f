"""Real data in the folder that SPCABENCH_DATA names: gene expression and patches of photographs."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spcabench import (
    FLAG,
    NOTHING,
    Dataset,
    DatasetSpec,
    DataUnavailable,
    Either,
    OneOf,
    Parameter,
    Text,
    Whole,
    hookimpl,
)

PATH = Parameter(
    None, Either(NOTHING, Text("a file")), "the file; null: the folder that SPCABENCH_DATA names is searched"
)


def local_file(path: str | None, folder: str, name: str, advice: str) -> Path:
    """Return the file named by `path`, or ``folder/name`` below the folder that SPCABENCH_DATA names.

    Raises
    ------
    DataUnavailable
        If it is not there; the message says where to get it.
    """
    root = os.environ.get("SPCABENCH_DATA")
    file = Path(path) if path is not None else Path(root or "") / folder / name
    file = file.expanduser()
    if (path is None and not root) or not file.is_file():
        where = (
            f"there is no {file}" if path is not None or root else "the environment variable SPCABENCH_DATA is not set"
        )
        raise DataUnavailable(
            f"{where}; set the parameter path to the file, or SPCABENCH_DATA to the folder in which "
            f"{folder}/{name} lies; {advice}"
        )
    return file


COLON_ADVICE = "colon.csv.gz is Alon et al. 1999, 62 tissues by a column label and 2000 genes, raw intensities"
GOLUB_ADVICE = "Golub et al. 1999 is OpenML's data set 'leukemia' and the object golub of the R package multtest"
GOLUB_FILES = {"raw": "golub.csv.gz", "preprocessed": "golub38_3051.csv.gz"}


def load_colon(rng: np.random.Generator, path: str | None) -> Dataset:
    """Load the colon tissues: class 1 is tumour, 0 normal."""
    return _read(local_file(path, "colon", "colon.csv.gz", COLON_ADVICE), positive="tumour")


def load_golub(rng: np.random.Generator, form: str, path: str | None) -> Dataset:
    """Load the leukemia samples: class 1 is AML, 0 ALL."""
    return _read(local_file(path, "golub", GOLUB_FILES[form], GOLUB_ADVICE), positive="AML")


def _read(file: Path, positive: str) -> Dataset:
    from spcabench import read_table

    frame = read_table(file).frame
    genes = frame.drop(columns=["sample", "split", "label"], errors="ignore")
    return Dataset(
        X=genes.to_numpy(dtype=np.float64),
        y=np.asarray(frame["label"] == positive, dtype=np.int64),
        feature_names=tuple(genes.columns),
        files=(file,),
    )


ADVICE = "it holds the 13 grey photographs of Hyvarinen, Hurri and Hoyer 2009 as arrays of an .npz archive"


def load_natural_images(rng: np.random.Generator, n: int, size: int, remove_mean: bool, path: str | None) -> Dataset:
    """Cut square patches at random places, each image as often as its area allows."""
    from spcabench import read_arrays

    file = local_file(path, "natural_images", "hyvarinen13_grey_uint8.npz", ADVICE)
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


_dataset = partial(DatasetSpec, licence="none stated by its authors", provides=frozenset({"samples", "labels"}))


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the data sets of this page."""
    return [
        _dataset(
            name="colon",
            load="spcabench_datasets.measured:load_colon",
            title="colon tissues, 62 x 2000 genes, raw intensities",
            parameters={"path": PATH},
            n_features=2000,
            random=False,
            source="Alon, Barkai, Notterman, Gish, Ybarra, Mack and Levine 1999, PNAS 96, 6745-6750",
        ),
        _dataset(
            name="golub",
            load="spcabench_datasets.measured:load_golub",
            title="leukemia samples: raw 72 x 7129 genes, or preprocessed 38 x 3051",
            parameters={
                "form": Parameter(
                    "preprocessed", OneOf(*GOLUB_FILES), "as published, or as Dudoit et al. 2002 have it"
                ),
                "path": PATH,
            },
            random=False,
            source="Golub et al. 1999, Science 286, 531-537",
        ),
        _dataset(
            name="natural_images",
            load="spcabench_datasets.measured:load_natural_images",
            title="patches of 13 grey photographs",
            parameters={
                "n": Parameter(5000, Whole(2), "patches"),
                "size": Parameter(13, Whole(1), "pixels of a side"),
                "remove_mean": Parameter(False, FLAG, "subtract the mean grey level of each patch"),
                "path": PATH,
            },
            provides=frozenset({"samples", "image"}),
            source="Hyvarinen, Hurri and Hoyer 2009, Natural Image Statistics, Springer",
        ),
    ]
