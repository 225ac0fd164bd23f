"""A data set, and its registration."""

import numpy as np

import spcabench


def load(rng: np.random.Generator, n: int, noise: float) -> spcabench.Dataset:
    """Draw one sparse direction in noise: put your data in place of it.

    `rng` is the only source of random numbers, so that a seed leads to the same data.  Data that is read from a file
    names it in `files`; where it cannot be had, raise `spcabench.DataUnavailable` with the way to get it.
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
            # What a suite may set; load takes each of these.
            parameters={
                "n": spcabench.Parameter(100, spcabench.Whole(2), "samples"),
                "noise": spcabench.Parameter(0.5, spcabench.Number(0.0), "standard deviation of the noise"),
            },
            provides=frozenset({"samples", "supports"}),  # what it knows; see spcabench.specs.FACTS
            n_features=20,
            cheap=True,  # a draw takes a moment and reads no file: `spcabench plan --check` tries one
            source="drawn by the code of this plugin",
            licence="",
        )
    ]
