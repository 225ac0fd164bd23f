"""Estimators and data in hand, as a registry: what `spcabench.compare` runs a suite of."""

from __future__ import annotations

import contextlib
import copy
import inspect
import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from spcabench.dataset import Dataset
from spcabench.importing import resolve
from spcabench.parameters import Anything, Parameter, shown
from spcabench.plugins import Catalogue, Registry
from spcabench.specs import CARDINALITY, DatasetSpec, Knob, MethodSpec
from spcabench.suite.making import TARGET
from spcabench.wording import InputError, in_a_line

DATA = "data"
"""The name of the data set."""
ORIGIN = "in hand"
OWN_SPARSITY = Knob("penalty")
"""How the sparsity of an estimator is set of which nothing is known: by its own parameters, once."""

_NUMBERS = itertools.count()


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
