"""What decides a number that depends on two things: the rows of a table, or its columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Split:
    """The shares of the variation of a table, which sum to 1; nan where nothing varies.

    Parameters
    ----------
    rows, columns : float
        What the means of the rows explain, and those of the columns.
    both : float
        What is left: the effect of a column depends on the row.
    """

    rows: float
    columns: float
    both: float


def split(table: NDArray[np.float64]) -> Split:
    """Split the variation of a table between its rows and its columns.

    With ``e_ij = v_ij - mean``, the share of the rows is ``m sum_i (mean_j e_ij)^2 / sum_ij e_ij^2`` for m columns,
    and that of the columns alike: the two-way analysis of variance with one value in each place.

    Parameters
    ----------
    table : ndarray of shape (n, m)
        Finite values.

    Examples
    --------
    >>> split(np.array([[0.0, 1.0], [0.0, 1.0]]))
    Split(rows=0.0, columns=1.0, both=0.0)
    """
    deviations = table - table.mean()
    total = float((deviations**2).sum())
    if np.ptp(table) == 0:
        return Split(np.nan, np.nan, np.nan)
    rows = float(table.shape[1] * (deviations.mean(axis=1) ** 2).sum()) / total
    columns = float(table.shape[0] * (deviations.mean(axis=0) ** 2).sum()) / total
    return Split(rows, columns, 1.0 - rows - columns)
