"""The matrix that is fitted, and what names its rows and columns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.explore.understanding import Understanding
from spcabench.specs import Array


@dataclass(frozen=True)
class Prepared:
    """A table as numbers.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        As it is fitted: not centred, not scaled; nan where a value is missing until it is completed.
    names : tuple of str
        Of the features.
    rows : ndarray of int, shape (n_samples,)
        The rows of the file that they are, from 1.
    label : str
        The column of classes; empty if there is none.
    classes : tuple of str
        The class of each sample; empty if there is no label.
    standardise : bool
        Whether the features are divided by their standard deviations before each fit.
    moments : ndarray of shape (n_features, n_features), optional
        The second moments that are fitted, if they are not those of X.
    """

    X: Array
    names: tuple[str, ...]
    rows: NDArray[np.int64]
    label: str
    classes: tuple[str, ...]
    standardise: bool
    moments: Array | None = None

    @property
    def scaled(self) -> Array:
        """The samples as methods see them: centred, and standardised if that is wanted."""
        centred = self.X - self.X.mean(axis=0)
        return np.asarray(centred / self.X.std(axis=0) if self.standardise else centred)


def prepared(frame: pd.DataFrame, how: Understanding) -> Prepared:
    """Do to a table what was understood."""
    features = frame[list(how.features)].astype(np.float64)
    rows: NDArray[np.bool_] = np.ones(len(frame), dtype=bool)
    if how.missing == "drop":
        rows = ~features.isna().any(axis=1).to_numpy()
    elif how.missing == "median":
        features = features.fillna(features.median())
    classes = () if how.label is None else tuple(map(str, frame[how.label][rows]))
    return Prepared(
        X=np.ascontiguousarray(features.to_numpy()[rows]),
        names=tuple(map(str, how.features)),
        rows=np.flatnonzero(rows) + 1,
        label="" if how.label is None else str(how.label),
        classes=classes,
        standardise=how.preprocess == "standardise",
    )


def scaled_by_what_is_there(table: Prepared) -> Prepared:
    """Centre and scale the features of a table that lacks values, as it is wanted."""
    X = table.X - np.nanmean(table.X, axis=0)
    return replace(table, X=X / np.nanstd(X, axis=0) if table.standardise else X, standardise=False)
