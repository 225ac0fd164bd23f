"""From the table to the answer: each step once, the same whatever the machine and its load."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import resources
from inspect import signature
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from numpy.typing import ArrayLike
from sklearn import datasets
from threadpoolctl import threadpool_limits

from spcabench.explore.answer import Answer
from spcabench.explore.comparing import Reached, compared
from spcabench.explore.deciding import HALVES, Asker, decide, depends
from spcabench.explore.refit import script
from spcabench.explore.understanding import Prepared, understand
from spcabench.explore.values import FEW, Missing, Remark, without_units
from spcabench.foreign.formats import Table
from spcabench.foreign.reader import read_table
from spcabench.wording import Fault, InputError

LEAST = 4
"""Complete rows."""
MOST_SPARSE = 2000
"""Of a sparse table the columns of largest variance are kept, so many at most."""
MORE = 100
"""Half-samples with a budget."""
IN_ORDER = Remark(
    "rows that follow each other are alike, as in a time series or a sorted table",
    "columns are turned, not permuted, to tell what is chance",
    "--independent-rows",
    warning=True,
)


def explore(
    X: ArrayLike | str | Path | Table,
    *,
    n_components: int | None = None,
    n_nonzero: int | None = None,
    label: str | None = None,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    missing: Missing | None = None,
    standardise: bool | None = None,
    independent_rows: bool = False,
    budget: float = 0.0,
    progress: Callable[[str], None] = lambda text: None,
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
        Whether variables are standardised; if not given, they are where deviations differ tenfold or are equal.
    independent_rows : bool
        Whether rows are taken as independent, however alike those are that follow each other.
    budget : float
        Seconds for more half-samples and for other methods; components and variables stay.
    progress : callable
        Is told each step that takes a while.

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
    portfolio = yaml.safe_load(resources.files(__package__).joinpath("portfolio.yaml").read_text(encoding="utf-8"))
    methods: tuple[Reached, ...] = ()
    missed: tuple[str, ...] = ()
    with threadpool_limits(1):  # on a busy machine threads of BLAS wait for each other
        source = without_units(table_of(X))
        table = understand(
            source.frame,
            label=label or source.label,
            drop=drop,
            keep=keep,
            missing=missing,
            standardise=standardise,
            first_line=1 + source.named if "read_csv" in source.code else None,
        )
        _check(table, len(source.frame), n_components, n_nonzero)
        enough, standardised = len(table.X) >= FEW, table.preprocess == "standardise"
        halves = (MORE if budget else HALVES) if enough else 0
        asker = Asker(portfolio["selector"], n_components, n_nonzero, standardised, in_order=False, halves=halves)
        alike = enough and depends(asker.scaled(table.X), table.classes)
        asker = replace(asker, in_order=alike and not independent_rows)
        progress("choosing components and variables")
        decision = decide(table.X, asker)
        first = decision.first
        if budget and len(first.components) and enough:
            progress("comparing methods")
            methods, missed = compared(first.X, first.found.estimator_, portfolio["methods"], budget)
    remarks = (*(Remark(*note) for note in source.notes), *table.remarks, *((IN_ORDER,) if alike else ()))
    return Answer(source, remarks, table, decision, script(source, table, decision), methods, missed)


def _check(table: Prepared, rows: int, n_components: int | None, n_nonzero: int | None) -> None:
    """Raise an error if a table of so many rows has not what is wanted of it."""
    n, d = table.X.shape
    if n < LEAST:
        more = ": --missing median keeps those that lack values" if n < rows else ""
        raise InputError(f"{n} complete rows are left; valid are four or more{more}")
    most = min(n - math.ceil(n / 5), d)  # a fifth is held out
    if n_components is not None and n_components > most:
        raise InputError(Fault(f"{n_components} is too many; the table has at most {most}", "--components"))
    if n_nonzero is not None and n_nonzero > d:
        raise InputError(Fault(f"{n_nonzero} is too many; the table has {d} variables", "--nonzeros"))


def framed(X: ArrayLike) -> pd.DataFrame:
    """Return numbers in hand as a table; columns without a name are ``x0``, ``x1``, ...

    Raises
    ------
    InputError
        If an array is no matrix of numbers.
    """
    if isinstance(X, pd.DataFrame):
        return X.rename(columns=str).reset_index(drop=True)
    values = np.asarray(X)
    if values.ndim != 2 or 0 in values.shape or values.dtype.kind not in "biuf":
        raise InputError(
            f"X has shape {values.shape} and type {values.dtype}; numbers, samples by features, are wanted"
        )
    return pd.DataFrame(values).rename(columns="x{}".format)


def table_of(place: ArrayLike | str | Path | Table) -> Table:
    """Read a table from a file, or one that scikit-learn has by its name, such as ``wine``; or take one in hand.

    Raises
    ------
    InputError
        If there is none, or it cannot be read.
    """
    if isinstance(place, Table):
        return place
    if not isinstance(place, str | Path):
        code = "table = X.rename(columns=str).reset_index(drop=True)"
        return Table(Path("X"), code, framed(place))
    load = None if Path(place).exists() else getattr(datasets, f"load_{place}", None)
    if load is None or "as_frame" not in signature(load).parameters:
        return read_table(place, widest=MOST_SPARSE)
    imports, code = [f"from sklearn.datasets import load_{place}"], f"table = load_{place}(as_frame=True).frame"
    return Table(Path(place), code, load(as_frame=True).frame, imports)
