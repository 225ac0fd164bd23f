"""Explore a table in hand: which components, of which variables, and how sure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from spcabench.explore.answer import Answer
from spcabench.explore.trying import answered, table_of
from spcabench.explore.values import Wishes
from spcabench.foreign.reader import Table
from spcabench.wording import InputError


def explore(
    X: ArrayLike | str | Path,
    *,
    n_components: int | None = None,
    n_nonzero: int | None = None,
    label: str | None = None,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    missing: Literal["error", "drop", "median"] | None = None,
    standardise: bool | None = None,
    independent_rows: bool = False,
    budget: float = 0.0,
) -> Answer:
    """Answer which sparse components a table has, or that it has none.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_samples, n_features), or path
        The samples, or a file that ``spcabench try`` reads.
    n_components, n_nonzero : int, optional
        How many components, and the variables of each; chosen if not given.
    label : str, optional
        The column of classes, which colours figures.
    drop, keep : sequence of str
        Columns to leave out, and columns of numbers to keep, whatever they seem to be.
    missing : {"error", "drop", "median"}, optional
        What becomes of missing values.
    standardise : bool, optional
        Whether variables are standardised; if not given those whose deviations differ tenfold are.
    independent_rows : bool
        Whether rows are taken as independent, however alike those are that follow each other.
    budget : float
        Seconds for more half-samples and for other methods; components and variables stay.

    Returns
    -------
    Answer
        With ``verdict``, ``components``, ``frequencies``, ``estimator``, ``remarks`` and ``figure(name)``.

    Raises
    ------
    InputError
        If the table cannot be used.

    Examples
    --------
    >>> import numpy as np
    >>> import spcabench
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((120, 12))
    >>> X[:, :4] += rng.standard_normal((120, 1))
    >>> X[:, 4:8] += rng.standard_normal((120, 1))
    >>> found = spcabench.explore(X)
    >>> sorted(found.components.index[found.components["PC1"] != 0])[0] in ("x0", "x4")
    True
    """
    if isinstance(X, str | Path):
        source = table_of(X)
    else:
        frame = X if isinstance(X, pd.DataFrame) else _framed(X)
        frame = frame.rename(columns=str).reset_index(drop=True)
        source = Table(Path("X"), frame, "table = X.rename(columns=str).reset_index(drop=True)", [], True, None, ())
    wishes = Wishes(n_components, n_nonzero, label, drop, keep, missing, standardise, independent_rows, budget)
    return answered(source, wishes)


def _framed(X: ArrayLike) -> pd.DataFrame:
    values = np.asarray(X)
    if values.ndim != 2 or 0 in values.shape or values.dtype.kind not in "biuf":
        raise InputError(
            f"X has shape {values.shape} and type {values.dtype}; numbers, samples by features, are wanted"
        )
    return pd.DataFrame(values).rename(columns="x{}".format)
