"""A data set, and its registration."""

from typing import Annotated

import numpy as np

import spcabench
from spcabench import Number, Whole


# What a suite may set, with valid values and defaults; the docstring says what each means.
def load(
    rng: np.random.Generator, n: Annotated[int, Whole(2)] = 100, noise: Annotated[float, Number(0.0)] = 0.5
) -> spcabench.Dataset:
    """Draw one sparse direction in noise: put your data in place of it.

    Data that is read from a file names it in `files`; where it cannot be had, raise `spcabench.DataUnavailable` with
    the way to get it.

    Parameters
    ----------
    rng : numpy.random.Generator
        The only source of random numbers, so that a seed leads to the same data.
    n : int
        Samples.
    noise : float
        Standard deviation of the noise.
    """
    support = np.arange(20) < 5
    X = noise * rng.standard_normal((n, 20)) + rng.standard_normal((n, 1)) * support
    # What is known beside the samples: clean ones, held-out ones, labels, the true supports, the shape of an image.
    return spcabench.Dataset(X=X, supports=support[None, :])


@spcabench.hookimpl
def spcabench_datasets() -> list[spcabench.DatasetSpec]:
    """Return the data sets of this plugin."""
    return [
        spcabench.DatasetSpec(
            name="example",  # what a suite calls it
            load="spcabench_example:load",
            title="one sparse direction in noise",
            provides=frozenset({"samples", "supports"}),  # what it knows; see spcabench.specs.FACTS
            n_features=20,
            source="drawn by the code of this plugin",
            licence="",
        )
    ]
