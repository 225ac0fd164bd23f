"""The registered methods and metrics, by name, as anybody would call them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_wine

from published_checks.claims import SPECIFICATION, Expected, add
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
    assert not spec.varies({})
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


def of_metric(name: str, times: float = 1.0) -> Callable[[Any, str], object]:
    return lambda fitted, data: times * measured(name, fitted.components_, dataset(data))


QUANTITIES: Mapping[str, Callable[[Any, str], object]] = {
    "nonzeros": lambda fitted, data: counts(fitted),
    "nonzeros in ascending order": lambda fitted, data: " ".join(sorted(counts(fitted).split())),
    "nonzeros of the first": lambda fitted, data: fitted.n_nonzero_[0],
    "support": lambda fitted, data: features(fitted.components_[0]),
    "leading support": lambda fitted, data: features(fitted.components_[0]),
    "supports": lambda fitted, data: supports(fitted),
    "both loadings": lambda fitted, data: fitted.components_.ravel(),
    "first loading": lambda fitted, data: fitted.components_[0],
    "second loading, features 3 4 8 12": lambda fitted, data: fitted.components_[1, [2, 3, 7, 11]],
    "third loading, features 5 6 7 13": lambda fitted, data: fitted.components_[2, [4, 5, 6, 12]],
    "largest l1 norm": lambda fitted, data: np.abs(fitted.components_).sum(axis=1).max(),
    "loading on its support": lambda fitted, data: fitted.components_[0][fitted.components_[0] != 0],
    "largest variance": lambda fitted, data: fitted.objective_[0],
    "optimum after 25 sweeps": lambda fitted, data: fitted.objective_[0],
    "dual bound over optimum": lambda fitted, data: fitted.upper_bound_[0] / fitted.objective_[0],
    "variance": lambda fitted, data: fitted.objective_[0],
    "variance of the first": lambda fitted, data: fitted.components_[0] @ covariance(data) @ fitted.components_[0],
    "variances of two": lambda fitted, data: fitted.objective_,
    "sum of variances": lambda fitted, data: fitted.objective_.sum(),
    "sum of magnitudes of W'W - I": lambda fitted, data: fitted.violation_,
    "optimum and its dual bound": lambda fitted, data: [fitted.objective_[0], fitted.upper_bound_[0]],
    "rounds": lambda fitted, data: fitted.n_iter_,
    "updates of the multipliers": lambda fitted, data: fitted.n_iter_,
    "features": lambda fitted, data: np.count_nonzero(fitted.components_.any(axis=0)),
    "eigenvalues of Z": lambda fitted, data: fitted.eigenvalues_,
    "eps": lambda fitted, data: fitted.eps_[0],
    "steps to a gap of 0.005": lambda fitted, data: fitted.n_iter_,
    "iterations": lambda fitted, data: fitted.n_iter_,
    "supports, the later component first": lambda fitted, data: "; ".join(reversed(supports(fitted).split("; "))),
    "CPEV": of_metric("cpev"),
    "CPEV, of the paper's sample": of_metric("cpev"),
    "CPEV, of the exact covariance": of_metric("cpev"),
    "NOR": of_metric("nor"),
    "STD": of_metric("sp_std"),
    "% of CPEV": of_metric("cpev", 100),
    "% of the variance, deflated": of_metric("deflated_variance", 100),
    "% of adjusted variance": of_metric("adjusted_variance", 100),
    "% of the first component": lambda fitted, data: 100 * fitted.explained_variance_ratio_[0],
    "% of the first": lambda fitted, data: 100 * fitted.explained_variance_ratio_[0],
    "adjusted % of each": lambda fitted, data: 100 * fitted.explained_variance_ratio_,
    "adjusted % of two": lambda fitted, data: 100 * fitted.explained_variance_ratio_,
    "adjusted % of all": lambda fitted, data: 100 * fitted.explained_variance_ratio_.sum(),
    "adjusted % of six": lambda fitted, data: 100 * fitted.explained_variance_ratio_.sum(),
}
"""What may be claimed of a fit to the covariance of a data set, by the words that a check says it in."""


def of_fit(
    section: str,
    method: str,
    data: str,
    where: str,
    expected: Mapping[str, Expected],
    source: str = SPECIFICATION,
    reasons: Mapping[str, str] | str = "",
    **params: Any,
) -> None:
    """Register what is claimed of one fit, by the names of `QUANTITIES`; reasons are one for all or by these names."""
    for name, claim in expected.items():
        reason = reasons if isinstance(reasons, str) else reasons.get(name, "")
        compute = partial(_quantity, name, method, data, params)
        add(section, method, f"{where}: {name}", claim, compute, source, reason)


def _quantity(name: str, method: str, data: str, params: dict[str, Any]) -> object:
    return QUANTITIES[name](known(method, data, **params), data)


OPTIMA = ("pitprops", "wine")
"""Data whose optima are proved at each cardinality."""


@cache
def correlations(name: str) -> Array:
    return covariance("pitprops") if name == "pitprops" else np.corrcoef(load_wine().data.T)


@cache
def proved(name: str, k: int) -> Any:
    return fit_covariance("exact", correlations(name), n_components=1, n_nonzero=k)
