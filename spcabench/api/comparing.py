"""Compare estimators in hand, without a suite."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spcabench.api.in_hand import DATA, Copies, in_hand, labelled, parameters_of
from spcabench.api.running import fitted
from spcabench.check.script import apart
from spcabench.dataset import Dataset
from spcabench.explore.trying import framed
from spcabench.plugins import load_registry, plugin_files
from spcabench.report.groups import Group
from spcabench.report.results import Results
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_suite
from spcabench.suite.making import TARGET
from spcabench.suite.models import MOST_SECONDS
from spcabench.suite.preprocessing import Preprocess
from spcabench.wording import InputError, in_a_line

METRICS = ("cpev", "adjusted_variance", "exact_support", "f1")
"""The metrics that are computed if none are asked for, as far as the data have what they need."""

Target = int | Sequence[int]


def compare(
    estimators: Mapping[str, Any] | Sequence[Any],
    X: ArrayLike | Dataset,
    n_nonzero: Target | Sequence[Target] | None = None,
    *,
    n_components: int | None = None,
    metrics: Sequence[str] = METRICS,
    seeds: int | Sequence[int] = 1,
    repeats: int = 1,
    preprocess: Preprocess = "none",
    progress: bool = False,
) -> Results:
    """Compare estimators in hand, by the metrics and the rules of a run, in this process.

    Parameters
    ----------
    estimators : sequence or mapping of str to estimator
        Any with ``fit`` and, after it, ``components_``; a mapping labels them.  Copies are fitted.
    X : array-like or DataFrame of shape (n_samples, n_features), or Dataset
        The samples.  A `Dataset` may know more: clean or held-out samples, the true supports, a covariance alone.
    n_nonzero : int, list of int, optional
        The target cardinalities of a component; an inner list has one for each component.  An estimator without a
        parameter ``n_nonzero``, whose class no plugin registers, is fitted once, as it is.  None: so is each estimator,
        and compared with those that reach the same nonzeros.
    n_components : int, optional
        The components; that of the estimators if not given.
    metrics : sequence of str
        ``spcabench list metrics`` lists them.
    seeds : int or sequence of int
        How many, or which, for estimators that draw.  One with an integer ``random_state`` keeps it.
    repeats : int
        Fits of each cell, for the clock alone: ``Results.table("timing")``.
    preprocess : {"none", "centre", "standardise", "log1p", "sqrt", "clr", "log1p+standardise", ...}
        What is done to the data first, as `preprocess` of a suite.
    progress : bool
        Whether progress is shown on standard error.

    Returns
    -------
    Results
        As of a run: `Results.best`, `Results.table`, `Results.loadings`, `Results.figure`.  A target that was missed
        is shown and never ranked.

    Raises
    ------
    InputError
        With every fault of the arguments.

    Notes
    -----
    There are no limits, and an estimator that ends the process ends it: `spcabench.run` gives each fit a process of
    its own.

    Examples
    --------
    >>> import numpy as np
    >>> import spcabench
    >>> X = np.random.default_rng(0).standard_normal((50, 8)) * [3, 3, 3, 2, 1, 1, 1, 1]
    >>> methods = [spcabench.make("tpower", n_components=2), spcabench.make("pathspca", n_components=2)]
    >>> spcabench.compare(methods, X, n_nonzero=[2, 3]).table()["method"].tolist()
    ['TPower', 'PathSPCA', 'TPower', 'PathSPCA']
    """
    found = labelled(estimators)
    place = tempfile.TemporaryDirectory(prefix="spcabench-")
    with in_hand(found, _dataset(X), load_registry(plugin_files(()))) as registry:
        targets = [n_nonzero is not None and bool(spec.knob.parameter) for spec in registry.methods.specs.values()]
        suite = {
            "name": "compare",
            "title": "Estimators in hand",
            "datasets": [{"name": DATA, "preprocess": preprocess}],
            "methods": [
                {"name": name, "label": label, "sparsity": "target" if has_target else "own"}
                for name, label, has_target in zip(registry.methods, found, targets, strict=True)
            ],
            "n_components": _components(found) if n_components is None else n_components,
            "n_nonzero": 1 if n_nonzero is None else n_nonzero,
            "seeds": seeds,
            "repeats": repeats,
            "limits": {"time": MOST_SECONDS},
            "metrics": list(metrics),
        }
        loaded = load_suite(suite, registry)
        folder = RunFolder(Path(place.name))
        with apart():
            results = fitted(loaded, folder, registry, Options(isolation=False), progress, failures=True)
    return Results(results, lambda _, group: _call(found, group), keep=place)


def _dataset(X: ArrayLike | Dataset) -> Dataset:
    """Return the data as a data set, with the names of a frame's columns."""
    if isinstance(X, Dataset):
        return X
    frame = framed(X)
    if 0 in frame.shape:
        raise InputError(f"X has shape {frame.shape}; samples by features are wanted")
    try:
        values = frame.to_numpy(dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"X is not a table of numbers: {error}") from None
    for row, column in np.argwhere(~np.isfinite(values)):
        where = f"row {row}, column {frame.columns[column]}"
        raise InputError(f"X is {values[row, column]} in {where}; finite numbers are wanted")
    return Dataset(X=values, feature_names=tuple(map(str, frame.columns)))


def _components(estimators: Mapping[str, Any]) -> int:
    """Return the number of components that the estimators agree in."""
    counts = {label: parameters_of(estimator).get("n_components") for label, estimator in estimators.items()}
    known = {count for count in counts.values() if count is not None}
    if len(known) != 1:
        found = ", ".join(f"{label} {count}" for label, count in counts.items())
        raise InputError(f"the estimators differ in their components ({found}); say n_components")
    return int(known.pop())


def _call(estimators: Mapping[str, Any], group: Group) -> str:
    """Return the Python that makes an estimator, if it writes itself as Python."""
    estimator = estimators[group.method]
    changes = {"n_components": group.n_components} | ({TARGET: group.level.target} if group.level else {})
    taken = {name: value for name, value in changes.items() if name in parameters_of(estimator)}
    written = in_a_line(repr(Copies(estimator)(**taken)))
    return "" if written.startswith("<") else written
