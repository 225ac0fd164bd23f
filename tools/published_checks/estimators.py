"""The registered methods and metrics, by name, as anybody would call them."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench import Dataset, Evaluation, Fitted, MethodSpec, Moments
from spcabench.importing import resolve
from spcabench.plugins import Registry, load_registry

Array = NDArray[np.float64]

_FITS: dict[str, Any] = {}


@cache
def registry() -> Registry:
    """Find the plugins once."""
    return load_registry()


def fit(name: str, X: Array, **params: Any) -> Any:
    """Fit a registered method to samples, or to what else its parameters say; from its published start."""
    spec = registry().methods[name]
    estimator = resolve(spec.estimator)(**{**published_start(spec), **spec.params, **params})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X)


def published_start(spec: MethodSpec) -> dict[str, str]:
    """Return the parameter that chooses the start of the paper; none if the method does not tell it from its own."""
    declared = spec.parameters.get(spec.starts or "")
    return {spec.starts: "published"} if spec.starts and declared and declared.valid.accepts("published") else {}


def fit_covariance(name: str, S: Array, **params: Any) -> Any:
    """Fit a registered method to a covariance matrix."""
    return fit(name, S, covariance="precomputed", **params)


@cache
def dataset(name: str, **params: Any) -> Dataset:
    """Load a data set that is the same for every seed."""
    spec = registry().datasets[name]
    assert not spec.random
    return drawn(name, 0, **params)


def drawn(name: str, seed: int, /, **params: Any) -> Dataset:
    """Draw a data set."""
    spec = registry().datasets[name]
    defaults = {key: parameter.default for key, parameter in spec.parameters.items()}
    loaded: Dataset = resolve(spec.load)(np.random.default_rng(seed), **{**defaults, **params})
    return loaded


def covariance(name: str) -> Array:
    """Return the covariance of a data set that is the same for every seed."""
    S = dataset(name).covariance
    assert S is not None
    return S


def known(name: str, data: str, **params: Any) -> Any:
    """Fit a method to the covariance of a data set that is the same for every seed, once."""
    key = f"{name} {data} {params}"
    if key not in _FITS:
        _FITS[key] = fit_covariance(name, covariance(data), **params)
    return _FITS[key]


def measured(metric: str, components: Array, data: Dataset, **params: Any) -> Any:
    """Compute a registered metric of loadings in rows."""
    moments = Moments(X=data.X, covariance=data.covariance)
    fitted = Fitted(components=np.asarray(components, dtype=float), mean=moments.mean)
    evaluation = Evaluation(dataset=data, fitted=fitted, moments=moments)
    return resolve(registry().metrics[metric].compute)(evaluation, **params)


def features(w: Array) -> str:
    """Name the support of a loading, features counted from 1."""
    return " ".join(str(i + 1) for i in np.flatnonzero(w))


def supports(fitted: Any) -> str:
    """Name the supports of all loadings."""
    return "; ".join(features(w) for w in fitted.components_)


def counts(fitted: Any) -> str:
    """Return the cardinalities in the order of the components."""
    return " ".join(map(str, fitted.n_nonzero_))
