"""Jeffers' pitprops: correlations of 13 measurements on 180 timbers; the samples are not known."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from spcabench import Dataset, DatasetSpec, hookimpl

TABLE = Path(__file__).with_name("pitprops.csv")


def load(rng: np.random.Generator) -> Dataset:
    """Read the correlations."""
    with TABLE.open(newline="", encoding="utf-8") as lines:
        header, *rows = csv.reader(lines)
    correlations = np.array([[float(value) for value in row[1:]] for row in rows])
    return Dataset(covariance=correlations, feature_names=tuple(header[1:]))


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return pitprops."""
    return [
        DatasetSpec(
            name="pitprops",
            load="spcabench_datasets.pitprops:load",
            title="pitprops, 13 x 13 correlations",
            provides=frozenset(),
            n_features=13,
            random=False,
            source="Jeffers 1967, Applied Statistics 16, 225-236; checked against the R package elasticnet",
            licence="a published table; as distributed with elasticnet, GPL (>= 2)",
        )
    ]
