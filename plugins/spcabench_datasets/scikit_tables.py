"""Tables of measurements that come with scikit-learn: wine and breast cancer, with classes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from spcabench import NOTHING, Dataset, DatasetSpec, Either, Number, Parameter, hookimpl


def load_wine(rng: np.random.Generator, train: float | None) -> Dataset:
    """Load 13 measurements of 178 wines, with their cultivars."""
    from sklearn.datasets import load_wine as load

    return _table(rng, load(), train)


def load_breast_cancer(rng: np.random.Generator, train: float | None) -> Dataset:
    """Load 30 measurements of the cell nuclei of 569 tumours, with their diagnoses."""
    from sklearn.datasets import load_breast_cancer as load

    return _table(rng, load(), train)


def _table(rng: np.random.Generator, found: Any, train: float | None) -> Dataset:
    """Draw the rows to train on, without replacement and in their order, and hold out the others."""
    X, y = np.asarray(found.data, dtype=np.float64), np.asarray(found.target, dtype=np.int64)
    kept, held_out = np.arange(len(X)), None
    if train is not None:
        order = rng.permutation(len(X))
        n = max(2, round(train * len(X)))
        kept, held_out = np.sort(order[:n]), np.sort(order[n:])
    return Dataset(
        X=X[kept],
        y=y[kept],
        X_test=None if held_out is None else X[held_out],
        y_test=None if held_out is None else y[held_out],
        feature_names=tuple(map(str, found.feature_names)),
    )


LICENCE = "CC BY 4.0 (UCI machine learning repository)"
PARAMETERS = {
    "train": Parameter(
        None,
        Either(NOTHING, Number(0, 0.95, low_open=True)),
        "the share of the rows to train on, drawn at random; the others are held out; null: all, none held out",
    )
}
EXEMPT = {
    "provides": "held-out samples come with train",
    "seed": "the choice of rows is random, and by default all are taken",
}
_dataset = partial(
    DatasetSpec,
    licence=LICENCE,
    provides=frozenset({"samples", "test", "labels"}),
    parameters=PARAMETERS,
    exempt=EXEMPT,
)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the tables."""
    return [
        _dataset(
            name="wine",
            load="spcabench_datasets.scikit_tables:load_wine",
            title="13 measurements of 178 wines, in units of their own",
            n_features=13,
            source="Aeberhard and Forina 1992, three cultivars of one region",
        ),
        _dataset(
            name="breast_cancer",
            load="spcabench_datasets.scikit_tables:load_breast_cancer",
            title="30 measurements of 569 tumours, in units of their own",
            n_features=30,
            source="Street, Wolberg and Mangasarian 1993, Wisconsin diagnostic breast cancer",
        ),
    ]
