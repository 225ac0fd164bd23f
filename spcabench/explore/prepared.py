"""The matrix that is fitted, and what names its rows and columns."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.explore.understanding import Understanding
from spcabench.explore.values import Remark
from spcabench.importing import resolve
from spcabench.specs import Array

MOST = 200
"""Iterations of expectation maximisation."""
FACTORS = 5
"""Of the model of samples that lack values, unless the user wants as many components."""
UNENDED = Remark("expectation maximisation did not converge", "its last moments are used", "--missing drop", True)


@dataclass(frozen=True)
class Prepared:
    """A table as numbers.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        As it is fitted: not centred, not scaled; nan where a value is missing until it is completed.
    how : Understanding
        What was done to the table.
    rows : ndarray of int, shape (n_samples,)
        The rows of the table that they are, from 0.
    first_line : int, optional
        The line of the file that has the first row; None if the file has no lines.
    names : tuple of str
        What the table itself calls its rows; empty if it does not.
    classes : tuple of str
        The class of each sample; empty if there is no label.
    moments : ndarray of shape (n_features, n_features), optional
        The second moments that are fitted, if they are not those of X.
    model : mapping of str to int
        The parameters of what estimated them.
    remarks : tuple of Remark
        What a reader must know of them.
    """

    X: Array
    how: Understanding
    rows: NDArray[np.int64]
    classes: tuple[str, ...]
    first_line: int | None = None
    names: tuple[str, ...] = ()
    moments: Array | None = None
    model: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()

    def name_of(self, place: int) -> str:
        """Return what a sample is called: by the table's own label, else by its line in the file and its index."""
        row = int(self.rows[place])
        if self.names:
            return f"row '{self.names[place]}'"
        return f"index {row}" if self.first_line is None else f"line {row + self.first_line} of the file, index {row}"

    @property
    def standardise(self) -> bool:
        """Whether the features are divided by their standard deviations before each fit."""
        return self.how.preprocess == "standardise" and self.moments is None

    @property
    def scaled(self) -> Array:
        """The samples as methods see them: centred, and standardised if that is wanted."""
        centred = self.X - np.nanmean(self.X, axis=0)
        return np.asarray(centred / np.nanstd(self.X, axis=0) if self.standardise else centred)


def prepared(frame: pd.DataFrame, how: Understanding, first_line: int | None = None) -> Prepared:
    """Do to a table what was understood; its rows begin in a line of its file, if that has lines."""
    features = frame[list(how.features)].astype(np.float64)
    rows: NDArray[np.bool_] = np.ones(len(frame), dtype=bool)
    if how.missing == "drop":
        rows = ~features.isna().any(axis=1).to_numpy()
    elif how.missing == "median":
        features = features.fillna(features.median())
    return Prepared(
        X=np.ascontiguousarray(features.to_numpy()[rows]),
        how=how,
        rows=np.flatnonzero(rows),
        classes=() if how.label is None else tuple(map(str, frame[how.label][rows])),
        first_line=first_line,
        names=() if how.index is None else tuple(map(str, frame[how.index][rows])),
    )


def completed(table: Prepared, incomplete: str, n_components: int | None) -> Prepared:
    """Complete a table that lacks values, with the second moments that a model expects of it.

    Parameters
    ----------
    table : Prepared
        With nan where a value is missing.
    incomplete : str
        ``"module:Class"`` of an estimator with the parameters and attributes of `MomentSPCA`.
    n_components : int, optional
        As the user wants.
    """
    X = table.scaled
    rank = min(max(FACTORS, (n_components or 0) + 1), X.shape[1] - 1)
    model = resolve(incomplete)(rank=rank, max_iter=MOST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what does not converge is remarked on
        model.fit(X)
    return replace(
        table,
        X=model.complete(X),
        moments=model.covariance_,
        model={"rank": rank, "max_iter": MOST},
        remarks=() if model.n_iter_ < MOST else (UNENDED,),
    )
