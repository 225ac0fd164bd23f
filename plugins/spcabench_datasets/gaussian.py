"""White noise: no structure at all, for timing."""

from __future__ import annotations

import numpy as np

from spcabench import Dataset, DatasetSpec, Parameter, Whole, hookimpl


def load(rng: np.random.Generator, n: int, d: int) -> Dataset:
    """Draw independent standard normal entries."""
    return Dataset(X=rng.standard_normal((n, d)))


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return white noise."""
    return [
        DatasetSpec(
            name="gaussian",
            load="spcabench_datasets.gaussian:load",
            title="independent standard normal entries",
            source="drawn here",
            parameters={"n": Parameter(500, Whole(2), "samples"), "d": Parameter(100, Whole(1), "features")},
            n_features="d",
        )
    ]
