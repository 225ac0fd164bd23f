"""Tables of measurements that come with scikit-learn: wine and breast cancer, with classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from spcabench import Dataset, DatasetSpec, hookimpl


def load_wine(rng: np.random.Generator) -> Dataset:
    """Load 13 measurements of 178 wines, with their cultivars."""
    from sklearn.datasets import load_wine as load

    return _table(load())


def load_breast_cancer(rng: np.random.Generator) -> Dataset:
    """Load 30 measurements of the cell nuclei of 569 tumours, with their diagnoses."""
    from sklearn.datasets import load_breast_cancer as load

    return _table(load())


def _table(found: Any) -> Dataset:
    return Dataset(
        X=np.asarray(found.data, dtype=np.float64),
        y=np.asarray(found.target, dtype=np.int64),
        feature_names=tuple(map(str, found.feature_names)),
    )


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the tables."""
    licence = "CC BY 4.0 (UCI machine learning repository)"
    return [
        DatasetSpec(
            name="wine",
            load="spcabench_datasets.scikit_tables:load_wine",
            title="13 measurements of 178 wines, in units of their own",
            provides=frozenset({"samples", "labels"}),
            n_features=13,
            random=False,
            source="Aeberhard and Forina 1992, three cultivars of one region",
            licence=licence,
        ),
        DatasetSpec(
            name="breast_cancer",
            load="spcabench_datasets.scikit_tables:load_breast_cancer",
            title="30 measurements of 569 tumours, in units of their own",
            provides=frozenset({"samples", "labels"}),
            n_features=30,
            random=False,
            source="Street, Wolberg and Mangasarian 1993, Wisconsin diagnostic breast cancer",
            licence=licence,
        ),
    ]
