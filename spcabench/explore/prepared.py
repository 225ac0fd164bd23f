"""The matrix that is fitted, and what names its rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

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
        As it is fitted: not centred, not scaled.
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
    """

    X: Array
    how: Understanding
    rows: NDArray[np.int64]
    classes: tuple[str, ...]
    first_line: int | None = None
    names: tuple[str, ...] = ()

    def name_of(self, place: int) -> str:
        """Return what a sample is called: by the table's own label, else by its line in the file and its index."""
        row = int(self.rows[place])
        if self.names:
            return f"row '{self.names[place]}'"
        return f"index {row}" if self.first_line is None else f"line {row + self.first_line} of the file, index {row}"


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
