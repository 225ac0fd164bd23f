"""What is done to a data set before methods see it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from spcabench.dataset import Dataset
from spcabench.specs import Array

Preprocess = Literal[
    "none",
    "centre",
    "standardise",
    "log1p",
    "sqrt",
    "clr",
    "log1p+standardise",
    "sqrt+standardise",
    "clr+standardise",
]
"""Each value by itself, then by the means and scales of the training samples.

- ``log1p``: log(1 + x), of counts;
- ``sqrt``: the square root, of counts;
- ``clr``: the centred log ratio, log(x) less its mean over the sample, of shares (Aitchison 1982, Journal of the Royal
  Statistical Society B 44, 139-177).
"""


def _clr(values: Array) -> Array:
    logs = np.log(values)
    return np.asarray(logs - logs.mean(axis=1, keepdims=True))


_EACH: Mapping[str, tuple[Callable[[Array], Array], str, str]] = {
    "log1p": (np.log1p, "0 or more", "standardise values of both signs instead"),
    "sqrt": (np.sqrt, "0 or more", "standardise values of both signs instead"),
    "clr": (_clr, "above 0", "where there are zeros, use log1p, or add a pseudo count to the file"),
}
"""What is done to each value, which are valid, and what to do with others."""


def preprocessed(dataset: Dataset, how: str) -> Dataset:
    """Transform each value; centre or standardise all sample sets by the means and scales of the training samples.

    Raises
    ------
    ValueError
        If there are values that cannot be transformed, or no samples to do it to.
    """
    for step in how.split("+"):
        if step in _EACH:
            dataset = _each(dataset, step)
        elif step != "none":
            dataset = _scaled(dataset, step == "standardise")
    return dataset


def _each(dataset: Dataset, step: str) -> Dataset:
    transform, valid, remedy = _EACH[step]
    if dataset.X is None:
        raise ValueError(f"preprocess is {step}, and a covariance has no values to transform; use none or standardise")
    for name, values in _samples(dataset).items():
        bad = np.argwhere(values <= 0 if step == "clr" else values < 0)
        if len(bad):
            row, column = bad[0]
            found = f"{name} is {values[row, column]:g} at row {row}, column {column}"
            raise ValueError(f"preprocess is {step}, and {found}; valid is {valid}: {remedy}")
    return _changed(dataset, transform)


def _scaled(dataset: Dataset, standardise: bool) -> Dataset:
    if not standardise:
        sizes = np.ones(dataset.n_features)
    elif dataset.covariance is not None:
        sizes = np.sqrt(np.diag(dataset.covariance))
    else:
        sizes = np.asarray(dataset.X).std(axis=0)
    scale = np.where(sizes > 0, sizes, 1.0)
    if dataset.covariance is not None:
        return dataclasses.replace(dataset, covariance=dataset.covariance / np.outer(scale, scale))
    mean = np.asarray(dataset.X).mean(axis=0)
    return _changed(dataset, lambda values: (values - mean) / scale)


def _samples(dataset: Dataset) -> dict[str, Array]:
    known = {"X": dataset.X, "X_clean": dataset.X_clean, "X_test": dataset.X_test}
    return {name: values for name, values in known.items() if values is not None}


def _changed(dataset: Dataset, transform: Callable[[Array], Array]) -> Dataset:
    changes: dict[str, Any] = {name: transform(values) for name, values in _samples(dataset).items()}
    return dataclasses.replace(dataset, **changes)
