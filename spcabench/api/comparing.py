"""Compare estimators in hand, without a suite: they and their data are a registry of their own."""

from __future__ import annotations

import contextlib
import copy
import inspect
import itertools
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spcabench.api.running import fitted
from spcabench.check.script import apart
from spcabench.dataset import Dataset
from spcabench.explore.trying import framed
from spcabench.importing import resolve
from spcabench.parameters import Anything, Parameter, shown
from spcabench.plugins import Catalogue, Registry, load_registry, plugin_files
from spcabench.report.groups import Group
from spcabench.report.results import Results
from spcabench.run.options import Options
from spcabench.specs import CARDINALITY, DatasetSpec, Knob, MethodSpec
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_suite
from spcabench.suite.making import TARGET
from spcabench.suite.models import MOST_SECONDS
from spcabench.suite.preprocessing import Preprocess
from spcabench.wording import InputError, in_a_line

DATA = "data"
"""The name of the data set."""
ORIGIN = "in hand"
OWN_SPARSITY = Knob("penalty")
"""How the sparsity of an estimator is set of which nothing is known: by its own parameters, once."""

_NUMBERS = itertools.count()

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


class Copies:
    """Copies of an estimator with some parameters changed; stands where the host expects a class.

    Parameters
    ----------
    estimator : object
        With ``fit`` and, after it, ``components_``.
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self.__name__ = type(estimator).__name__
        names = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in parameters_of(estimator)]
        self.__signature__ = inspect.Signature(names)

    def __call__(self, **changes: Any) -> Any:
        """Return a copy that is not fitted, with changes."""
        if hasattr(self._estimator, "get_params"):
            from sklearn.base import clone

            return clone(self._estimator).set_params(**changes)
        made = copy.deepcopy(self._estimator)
        vars(made).update(changes)
        return made


def parameters_of(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator, by scikit-learn's convention or else its attributes."""
    if hasattr(estimator, "get_params"):
        return dict(estimator.get_params(deep=False))
    return dict(vars(estimator))


def labelled(estimators: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return the estimators by label: the name of the class, or all of its call where several share it.

    Raises
    ------
    InputError
        If there is none, if one cannot be fitted, or if two are the same.
    """
    listed = list(estimators.values() if isinstance(estimators, Mapping) else estimators)
    if not listed:
        raise InputError("there is no estimator to compare")
    for estimator in listed:
        if isinstance(estimator, type) or not callable(getattr(estimator, "fit", None)):
            raise InputError(f"{shown(estimator)} is among the estimators; an object with a method fit is wanted")
    if isinstance(estimators, Mapping):
        return {str(label): estimator for label, estimator in estimators.items()}
    names = [type(estimator).__name__ for estimator in listed]
    calls = [in_a_line(repr(estimator)) for estimator in listed]
    labels = [name if names.count(name) == 1 else call for name, call in zip(names, calls, strict=True)]
    if len(set(labels)) < len(labels):
        raise InputError(f"two estimators are {max(labels, key=labels.count)}; label them: {{'mine': estimator, ...}}")
    return dict(zip(labels, listed, strict=True))


@contextlib.contextmanager
def in_hand(estimators: Mapping[str, Any], dataset: Dataset, installed: Registry) -> Iterator[Registry]:
    """Register estimators as methods ``m0``, ``m1``, ..., and data, in a module that the host finds for a while.

    Parameters
    ----------
    estimators : mapping of str to object
        By label.
    dataset : Dataset
        The data.
    installed : Registry
        The installed methods, which say what is known of their classes, and the metrics.
    """
    module = ModuleType(f"spcabench_in_hand_{next(_NUMBERS)}")
    module.__dict__[DATA] = lambda rng: dataset
    specs = {}
    for i, (label, estimator) in enumerate(estimators.items()):
        name = f"m{i}"
        spec = _spec(estimator, _known(estimator, installed))
        setattr(module, name, Copies(estimator))
        own = f"{module.__name__}:{name}"
        specs[name] = replace(spec, name=name, estimator=own, title=label)
    data = DatasetSpec(
        name=DATA,
        load=f"{module.__name__}:{DATA}",
        title="data in hand",
        provides=dataset.facts,
        n_features=dataset.n_features,
        random=False,
    )
    methods = Catalogue("method", specs, dict.fromkeys(specs, ORIGIN))
    sys.modules[module.__name__] = module
    try:
        yield Registry(methods, Catalogue("data set", {DATA: data}, {DATA: ORIGIN}), installed.metrics, ())
    finally:
        del sys.modules[module.__name__]


def _known(estimator: Any, installed: Registry) -> MethodSpec | None:
    """Return the installed method that an estimator is, or one of the same class; None if there is none."""
    cls = type(estimator)
    own = parameters_of(estimator)
    fits: dict[int, MethodSpec] = {}
    for spec in installed.methods.specs.values():
        module, _, name = spec.estimator.partition(":")
        nearly = name == cls.__name__ and module.partition(".")[0] == cls.__module__.partition(".")[0]
        if nearly and resolve(spec.estimator) is cls:
            fixed = all(repr(own.get(key)) == repr(value) for key, value in spec.params.items())
            fits.setdefault(len(spec.params) if fixed else -1, spec)
    return fits[max(fits)] if fits else None


def _spec(estimator: Any, known: MethodSpec | None) -> MethodSpec:
    """Return what the host must know of an estimator, but for its name and place."""
    own = parameters_of(estimator)
    seed = own.get("random_state")
    known = known or MethodSpec(name="m", estimator="m:m", knob=CARDINALITY if TARGET in own else OWN_SPARSITY)
    return replace(
        known,
        parameters={
            stop: Parameter(own[stop], Anything()) for stop in (known.iterations, known.tolerance) if stop in own
        },
        params={"random_state": seed} if type(seed) is int else {},
    )
