"""Functions that data sets of images share: selection by class and number, and contamination."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from spcabench import NOTHING, Dataset, DatasetSpec, Either, Fields, ListOf, Number, OneOf, Parameter, Whole

Images = NDArray[np.float64]
Pixels = NDArray[np.float64] | NDArray[np.uint8]
Labels = NDArray[np.int64]

NO_CLASS = -1
PAPER_SHARE = {"noise": 2000 / 6876, "outliers": 3000 / 6876}
PAPER_BLOCK = (10 / 28, 18 / 28)

_NOISE = "none", "noise", "outliers"
_FRACTION = Parameter(None, Either(NOTHING, Number(0, 1, low_open=True)))
_BLOCK = Parameter(None, Either(NOTHING, ListOf(Whole(1), 2)))

Digit = Annotated[int | str, Either(Whole(0, 9), OneOf("all"))]
Contamination = Annotated[
    Mapping[str, Any] | None,
    Either(NOTHING, Fields({"kind": Parameter("none", OneOf(*_NOISE)), "fraction": _FRACTION, "block": _BLOCK})),
]
"""How images are corrupted.

- ``kind``: of ``noise``, a random share of the images gets a block of random black and white dots; of ``outliers``,
  images of nothing but random black and white dots are added;
- ``fraction``: corrupted or added images per original one; null: as published, `PAPER_SHARE`;
- ``block``: height and width of the block of noise in pixels; null: as published, `PAPER_BLOCK`, in proportion.
"""
PerClass = Annotated[int | None, Either(NOTHING, Whole(1))]
TestPerClass = Annotated[int, Whole(0)]
image_spec = partial(
    DatasetSpec,
    provides=frozenset({"samples", "clean", "test", "labels", "image"}),
    exempt={
        "provides": "clean and held-out images come with contamination and test_per_class",
        "seed": "contamination and choices of images are random, and by default there are none",
    },
)
"""What every data set of images declares."""


def image_dataset(
    rng: np.random.Generator,
    images: Pixels,
    labels: Labels,
    *,
    digit: int | str,
    contamination: Mapping[str, Any] | None,
    limit: int | None = None,
    held_out: NDArray[np.intp] | None = None,
    files: tuple[Path, ...] = (),
) -> Dataset:
    """Make a data set of images, one image a row.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the images kept by `limit`, and the contamination.
    images : ndarray of shape (n_images, height, width)
        From 0 (black) to 255 (white).
    labels : ndarray of int, shape (n_images,)
        The digits shown.
    digit, contamination, limit
        As declared by the data sets.
    held_out : ndarray of int, optional
        Which images are for testing; they stay clean.
    files : tuple of Path
        What was read.

    Returns
    -------
    Dataset
        With the originals as clean samples if they were corrupted; images added have the class -1.
    """
    chosen = np.arange(len(images)) if digit == "all" else np.flatnonzero(labels == digit)
    if held_out is not None:
        chosen = np.setdiff1d(chosen, held_out)
    if limit is not None and limit < len(chosen):
        chosen = np.sort(rng.choice(chosen, limit, replace=False))
    originals = np.asarray(images[chosen], dtype=np.float64)
    y = np.asarray(labels[chosen], dtype=np.int64)
    corrupted = _contaminated(rng, originals, contamination or {})
    clean = _rows(originals) if corrupted is not originals else None
    added = len(corrupted) - len(originals)
    return Dataset(
        X=_rows(corrupted),
        X_clean=clean,
        clean_rows=None if clean is None else np.arange(len(clean)),
        y=np.concatenate([y, np.full(added, NO_CLASS)]),
        X_test=None if held_out is None else _rows(np.asarray(images[held_out], dtype=np.float64)),
        y_test=None if held_out is None else np.asarray(labels[held_out], dtype=np.int64),
        image_shape=(images.shape[1], images.shape[2]),
        files=files,
    )


def train_and_test(
    rng: np.random.Generator, images: Pixels, labels: Labels, per_class: int | None, test_per_class: int
) -> tuple[Pixels, Labels, NDArray[np.intp] | None]:
    """Keep some images of each digit, in their order, and choose which of them are for testing.

    Returns
    -------
    images, labels : ndarrays
        Those kept: `per_class` and `test_per_class` of each digit, or all.
    held_out : ndarray of int, or None
        Which of them are for testing.

    Raises
    ------
    ValueError
        If a digit has fewer.
    """
    if per_class is not None:
        kept = _of_each(rng, labels, per_class + test_per_class)
        images, labels = images[kept], labels[kept]
    return images, labels, _of_each(rng, labels, test_per_class) if test_per_class else None


def _of_each(rng: np.random.Generator, labels: Labels, count: int) -> NDArray[np.intp]:
    drawn = []
    for digit in np.unique(labels):
        members = np.flatnonzero(labels == digit)
        if count > len(members):
            raise ValueError(f"{count} images of each digit are requested, but there are {len(members)} of {digit}")
        drawn.append(rng.choice(members, count, replace=False))
    return np.sort(np.concatenate(drawn))


def _contaminated(rng: np.random.Generator, images: Images, given: Mapping[str, Any]) -> Images:
    kind = str(given.get("kind", "none"))
    if kind == "none":
        return images
    fraction = given.get("fraction")
    n = round((PAPER_SHARE[kind] if fraction is None else fraction) * len(images))
    shape = (images.shape[1], images.shape[2])
    if kind == "outliers":
        return np.concatenate([images, _dots(rng, (n, *shape))])
    height, width = _block(given.get("block"), shape)
    noisy = images.copy()
    for image in rng.choice(len(images), n, replace=False):
        top, left = rng.integers(shape[0] - height + 1), rng.integers(shape[1] - width + 1)
        noisy[image, top : top + height, left : left + width] = _dots(rng, (height, width))
    return noisy


def _dots(rng: np.random.Generator, shape: tuple[int, ...]) -> Images:
    return np.where(rng.integers(2, size=shape), 255.0, 0.0)


def _block(given: object, shape: tuple[int, int]) -> tuple[int, int]:
    if given is None:
        height, width = (max(1, round(share * size)) for share, size in zip(PAPER_BLOCK, shape, strict=True))
    else:
        height, width = (int(size) for size in np.asarray(given))
    if height > shape[0] or width > shape[1]:
        raise ValueError(f"contamination.block is [{height}, {width}]; the images have {shape[0]} by {shape[1]} pixels")
    return height, width


def _rows(images: Images) -> Images:
    return images.reshape(len(images), -1)
