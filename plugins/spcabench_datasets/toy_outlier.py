"""Fifty points along the first axis, two of them far off it: the first component should stay on the axis."""

from __future__ import annotations

import numpy as np

from spcabench import Dataset, DatasetSpec, Number, Parameter, hookimpl

OUTLYING_TENTHS = (13, 15)


def load(rng: np.random.Generator, noise_variance: float, outlier: float) -> Dataset:
    """Draw the second coordinate; the first is a grid."""
    tenths = np.arange(-24, 26)
    y = rng.normal(0.0, np.sqrt(noise_variance), len(tenths))
    y[np.isin(tenths, OUTLYING_TENTHS)] = outlier
    return Dataset(X=np.column_stack([tenths / 10, y]), supports=np.eye(2, dtype=bool), feature_names=("x", "y"))


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the toy data."""
    return [
        DatasetSpec(
            name="toy_outlier",
            load="spcabench_datasets.toy_outlier:load",
            title="50 points in the plane, 2 of them outliers",
            parameters={
                "noise_variance": Parameter(0.25, Number(0), "variance of the second coordinate"),
                "outlier": Parameter(7.0, Number(), "the second coordinate at x = 1.3 and x = 1.5"),
            },
            provides=frozenset({"samples", "supports"}),
            n_features=2,
            source="Zhao, Meng and Xu 2014 (RSPCA), section 3.1",
        )
    ]
