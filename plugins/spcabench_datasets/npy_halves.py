"""A matrix of your own in halves: random rows to fit, and the others held out."""

from __future__ import annotations

import numpy as np

from spcabench import NOTHING, Dataset, DatasetSpec, Either, ExistingFile, Parameter, hookimpl
from spcabench_datasets.files import load_npy


def load(rng: np.random.Generator, path: str | None) -> Dataset:
    """Read a .npy file, and draw half of its rows without replacement."""
    whole = load_npy(rng, path, "samples")
    assert whole.X is not None
    order = rng.permutation(len(whole.X))
    half = len(order) // 2
    return Dataset(X=whole.X[np.sort(order[:half])], X_test=whole.X[np.sort(order[half:])], files=whole.files)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the matrix in halves."""
    return [
        DatasetSpec(
            name="npy_halves",
            load="spcabench_datasets.npy_halves:load",
            title="half of the rows of a matrix of your own, from .npy; the others are held out",
            parameters={
                "path": Parameter(
                    None,
                    Either(NOTHING, ExistingFile()),
                    "the file to read; needed; relative to the folder where you are",
                )
            },
            provides=frozenset({"samples", "test"}),
            source="your own file",
            exempt={"draw": "it reads a file of yours"},
        )
    ]
