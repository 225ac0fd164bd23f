"""MNIST: 70000 handwritten digits of 28 by 28 pixels, as they are or contaminated."""

from __future__ import annotations

import gzip
import socket
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, DatasetSpec, DataUnavailable, Either, OneOf, Text, Whole, hookimpl, local_file
from spcabench_datasets._images import (
    Contamination,
    Digit,
    PerClass,
    TestPerClass,
    image_dataset,
    image_spec,
    train_and_test,
)

FILES = (
    "train-images-idx3-ubyte.gz",
    "train-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz",
)
ADVICE = (
    f"set the parameter path to the folder of {', '.join(FILES)}; or set the environment variable SPCABENCH_DATA to "
    "the folder that contains the folder mnist; or connect to a network, to ask OpenML"
)
SHAPE = (28, 28)
UNSIGNED_BYTES = 8
SPLITS = {"all": slice(None), "train": slice(0, 60_000), "test": slice(60_000, None)}
NETWORK_TIMEOUT = 5.0

Bytes = NDArray[np.uint8]


def load(
    rng: np.random.Generator,
    digit: Digit = "all",
    split: Annotated[str, OneOf(*SPLITS)] = "all",
    contamination: Contamination = None,
    limit: Annotated[int | None, Either(NOTHING, Whole(2))] = None,
    per_class: PerClass = None,
    test_per_class: TestPerClass = 0,
    path: Annotated[str | None, Either(NOTHING, Text("a folder"))] = None,
) -> Dataset:
    """Load the training images, the test images or both, pixels from 0 to 255.

    The files are searched for in `path`, in the folder ``mnist`` of the folder that the environment variable
    SPCABENCH_DATA names, in scikit-learn's cache, and at OpenML.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the images that are kept or held out, and the contamination.
    digit : int or "all"
        The digit shown, or all ten.
    split : {"all", "train", "test"}
        The 60000 training images, the 10000 test images, or all.
    contamination : mapping, optional
        How the images are corrupted: by noise a random share of them gets a block of random dots, by outliers images of
        nothing else are added; null: as published.
    limit : int, optional
        Use as many images only, drawn at random; null: all.
    per_class : int, optional
        Train on as many images of each digit, drawn at random; null: all.
    test_per_class : int
        Hold out as many images of each digit for testing.
    path : str, optional
        The folder of the four original files; null: search for it.

    Raises
    ------
    DataUnavailable
        If the images are nowhere.
    """
    folder = local_file("mnist") if path is None else Path(path).expanduser()
    images, labels = _from_openml() if folder is None else _from_files(folder)
    images, labels = images[SPLITS[split]], labels[SPLITS[split]]
    images, labels, held_out = train_and_test(rng, images, labels, per_class, test_per_class)
    return image_dataset(
        rng,
        images,
        labels,
        held_out=held_out,
        digit=digit,
        contamination=contamination,
        limit=limit,
        files=() if folder is None else tuple(folder / name for name in FILES),
    )


def _from_files(folder: Path) -> tuple[Bytes, NDArray[np.int64]]:
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise DataUnavailable(f"no {', '.join(missing)} in {folder}; {ADVICE}")
    parts = [read_idx(folder / name) for name in FILES]
    for images, labels, name in zip(parts[::2], parts[1::2], FILES[::2], strict=True):
        if images.shape[1:] != SHAPE or labels.shape != images.shape[:1]:
            raise DataUnavailable(
                f"{folder / name} has the shape {images.shape} and its labels {labels.shape}: "
                f"valid are (n, 28, 28) and (n,); {ADVICE}"
            )
    return np.concatenate(parts[::2]), np.concatenate(parts[1::2]).astype(np.int64)


def read_idx(file: Path) -> Bytes:
    """Read a gzipped IDX file of unsigned bytes.

    Its header is two zero bytes, the type of the elements, the number of dimensions, and each dimension as a
    big-endian integer of four bytes.
    """
    try:
        content = gzip.decompress(file.read_bytes())
    except (OSError, EOFError, zlib.error) as reason:
        raise DataUnavailable(f"{file} cannot be read: {reason}; {ADVICE}") from reason
    if len(content) < 4 or content[:3] != bytes([0, 0, UNSIGNED_BYTES]):
        raise DataUnavailable(f"{file} is not an IDX file of unsigned bytes; {ADVICE}")
    start = 4 + 4 * content[3]
    shape = tuple(int(size) for size in np.frombuffer(content[4:start], dtype=">u4"))
    if len(content) - start != np.prod(shape):
        raise DataUnavailable(f"{file} ends early: its header promises the shape {shape}; {ADVICE}")
    return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(shape)


def _from_openml() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    from sklearn.datasets import fetch_openml

    try:
        with _impatient_sockets(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = fetch_openml("mnist_784", version=1, as_frame=False, n_retries=1, delay=0.1)
    except Exception as reason:
        raise DataUnavailable(f"OpenML does not answer ({reason}); {ADVICE}") from reason
    return np.asarray(found.data, dtype=np.float64).reshape(-1, *SHAPE), found.target.astype(np.int64)


@contextmanager
def _impatient_sockets() -> Iterator[None]:
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(NETWORK_TIMEOUT)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return MNIST."""
    return [
        image_spec(
            name="mnist",
            load="spcabench_datasets.mnist:load",
            title="MNIST handwritten digits, 28 x 28",
            n_features=784,
            source="LeCun, Bottou, Bengio and Haffner 1998; OpenML mnist_784 version 1; "
            "contamination: Zhao, Meng and Xu 2014 (RSPCA), section 3.3",
            licence="none stated by its authors",
            place="mnist",
        )
    ]
