"""Checks of parameters and data, and values that hold for one component or for all."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from inspect import signature
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.out_of_core import is_large_and_mapped
from spcabench_methods.core.samples import column_means

FLOATS = (np.float64, np.float32)
LEAST, MOST = 1e-140, 1e150
"""Total variances between which squares of variances, even of small ones, neither underflow nor overflow."""
PLAIN = frozenset({int, float, bool, str, type(None)})
"""Types whose values are the same if they are equal."""
REMEMBERED = 1000
"""So many checks that passed."""
PASSED_OVER = ("spcabench_methods.", "sklearn.")
"""The packages whose lines a warning does not name: they are not the user's."""

T = TypeVar("T")
RandomSource = np.random.RandomState | np.random.Generator


def check_scale(total: float) -> None:
    """Raise a ValueError if products of variances would overflow or underflow; data without any variance pass."""
    if total != 0.0 and not LEAST <= total <= MOST:
        fault = "overflow" if not total < LEAST else "underflow"
        raise ValueError(
            f"the variances of X add up to {total:g}, and products of them {fault}; valid is 0 or from {LEAST:g} to "
            f"{MOST:g}: scale X"
        )


def checked_data(estimator: BaseEstimator, X: Any, formats: list[str] | bool, min_samples: int) -> tuple[Any, Array]:
    """Check the data, convert them for `fit`, and set the estimator's attributes that describe the features.

    scikit-learn's checks take longer than a small fit, so an array that needs no conversion and has only finite means
    is recognised without them.

    Parameters
    ----------
    estimator : BaseEstimator
        Receives `n_features_in_`, and `feature_names_in_` if the data have names.
    X : array-like or sparse matrix of shape (n_samples, n_features)
    formats : list of str, or False
        The sparse formats that the method accepts; others are converted to the first.
    min_samples : int

    Returns
    -------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Of single or double precision, or a large mapped array of whole numbers.
    mean : ndarray of shape (n_features,)
        The column means.
    """
    _check_library(estimator, X)
    if type(X) is np.memmap:
        X = X.view(np.ndarray)
    if _is_plain(X, min_samples):
        mean = column_means(X)
        if math.isfinite(mean @ mean):
            estimator.__dict__.pop("feature_names_in_", None)
            estimator.n_features_in_ = X.shape[1]
            return X, mean
    X = validate_data(estimator, X, accept_sparse=formats, dtype=FLOATS, ensure_min_samples=min_samples)
    return X, column_means(X)


def _check_library(estimator: BaseEstimator, X: Any) -> None:
    """Raise a ValueError if X is an array of another library, which may not be in this memory."""
    if hasattr(X, "__dlpack__") and not isinstance(X, np.ndarray):
        library = type(X).__module__.partition(".")[0]
        raise ValueError(
            f"{type(estimator).__name__}: X is an array of {library}; valid is one of numpy or pandas, or a sparse "
            "matrix of scipy: convert it with numpy.asarray, from its device to the host first"
        )


def _is_plain(X: Any, min_samples: int) -> bool:
    plain = type(X) is np.ndarray and X.ndim == 2 and (X.dtype.char in "df" or _stays_whole(X)) and X.dtype.isnative
    return plain and len(X) >= min_samples and X.size > 0


def _stays_whole(X: Any) -> bool:
    """Return whether X has whole numbers that are too many to convert."""
    return isinstance(X, np.ndarray) and X.dtype.kind in "iu" and is_large_and_mapped(X)


def precision(X: Any) -> np.dtype[Any]:
    """Return the precision of loadings of checked data."""
    dtype: np.dtype[Any] = X.dtype
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def further_data(estimator: BaseEstimator, X: Any, formats: list[str] | bool) -> Any:
    """Check samples beside those that an estimator has seen, and convert them."""
    _check_library(estimator, X)
    kept = "numeric" if _stays_whole(X) else FLOATS
    return validate_data(estimator, X, accept_sparse=formats, dtype=kept, reset=False)


def check_parameters(estimator: BaseEstimator) -> None:
    """Raise a ValueError that names an invalid parameter, what was found and what is valid.

    Checks of plain values that passed are remembered, as they take longer than a small fit.
    """
    kind: Any = type(estimator)
    values = [getattr(estimator, name) for name in _parameters(kind)]
    types = tuple(map(type, values))
    checked = (kind, types, *values)
    with suppress(TypeError):  # of lists and arrays, which have no hash
        if checked in _passed:
            return
    estimator._validate_params()
    if PLAIN.issuperset(types) and len(_passed) < REMEMBERED:
        _passed.add(checked)


_passed: set[tuple[object, ...]] = set()
"""The types of estimators, and of the values of their parameters, and the values."""


@cache
def _parameters(kind: Any) -> tuple[str, ...]:
    return tuple(signature(kind).parameters)


def check_whole(name: str, value: object, low: int, high: int | None = None) -> None:
    """Raise a ValueError unless an argument is a whole number between two, both included."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not low <= int(value) <= (math.inf if high is None else high):  # type: ignore[call-overload]
        raise ValueError(
            f"{name} is {value!r}; valid is a whole number from {low}{'' if high is None else f' to {high}'}"
        )


def per_component(value: T | Iterable[T], n_components: int, name: str) -> list[T]:
    """Return one value per component, from one value or from one per component."""
    if not isinstance(value, Iterable):
        return [value] * n_components
    values = list(value)
    if len(values) != n_components:
        raise ValueError(f"{name} has {len(values)} values; valid is one number or n_components={n_components} of them")
    return values


def cardinalities(n_nonzero: int | Iterable[int] | None, n_components: int, n_features: int) -> list[int]:
    """Return the nonzeros of each component; by default the square root of n_features, rounded up."""
    default = math.ceil(math.sqrt(n_features))
    return [int(k) for k in per_component(default if n_nonzero is None else n_nonzero, n_components, "n_nonzero")]


def checked_covariance(S: NDArray[np.floating]) -> Array:
    """Return the covariance matrix in double precision; raise a ValueError if it is not square and symmetric.

    A covariance matrix is positive semidefinite, but estimated correlations often are not quite; their negative
    eigenvalues are set to zero, with a warning.  A variance just below zero is zero, and so are its covariances.
    """
    if S.shape[0] != S.shape[1]:
        raise ValueError(f"the covariance matrix has shape {S.shape}; valid is (n_features, n_features)")
    scale = float(np.abs(S).max())
    tolerance = scale * (1e-8 if S.dtype == np.float64 else 1e-4)
    asymmetry = float(np.abs(S - S.T).max())
    if asymmetry > tolerance:
        raise ValueError(f"the covariance matrix is not symmetric: mirrored entries differ by up to {asymmetry:g}")
    double: Array = S.astype(np.float64, copy=False)
    try:
        np.linalg.cholesky(double + (len(S) * tolerance or 1.0) * np.eye(len(S)))
    except np.linalg.LinAlgError:
        message = "the covariance matrix is not positive semidefinite; its negative eigenvalues are set to zero"
        warn(message)
        values, vectors = np.linalg.eigh(double)
        double = (vectors * np.maximum(values, 0.0)) @ vectors.T
    varies = double.diagonal() > 0.0
    return double if varies.all() else np.where(np.outer(varies, varies), double, 0.0)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and name the line of the user's program that called this library, however many calls lie between."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(PASSED_OVER):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def random_source(random_state: Any) -> RandomSource:
    """Return an object that draws: a generator as it is, anything else by `sklearn.utils.check_random_state`.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        A seed from 0 to 2**32 - 1; an object, used in its present state; or None, the global state of numpy.

    Returns
    -------
    RandomState or Generator
    """
    source: RandomSource = (
        random_state if isinstance(random_state, np.random.Generator) else check_random_state(random_state)
    )
    return source
