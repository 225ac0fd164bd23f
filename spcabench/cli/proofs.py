"""What a method proves of a component: a bound, and perhaps a better one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.specs import Array, Dataset


@dataclass(frozen=True, eq=False)
class Proof:
    """How far a unit loading is from the best one with as many nonzeros.

    Parameters
    ----------
    value : float
        Its variance.
    best : ndarray of shape (n_features,)
        The loading that the proving method found.
    best_value : float
        The variance of that.
    bound : float
        What no loading with as many nonzeros exceeds.
    gap : float
        ``(bound - value) / bound``.
    status : str
        ``optimal``, ``improvable`` or ``open``.
    """

    value: float
    best: Array
    best_value: float
    bound: float
    gap: float
    status: str


def judged(dataset: Dataset, w: Array, best: Array, bound: float, tol: float) -> Proof:
    """Return what the best loading and the bound of a method say of the unit loading w."""
    from spcabench.specs import Moments

    moments = Moments(X=dataset.X, covariance=dataset.covariance)
    value, best_value = map(float, moments.covariance_of_scores(np.array([w, best]).T).diagonal())
    bound = max(bound, value, best_value)
    gap = (bound - value) / bound if bound > 0 else 0.0
    status = "optimal" if gap <= tol else "improvable" if best_value > value * (1 + tol) else "open"
    return Proof(value, best, best_value, bound, gap, status)


def best_loading(registry: Registry, by: str, dataset: Dataset, n_nonzero: int) -> tuple[Array, float]:
    """Return the loading that a method finds, and its proved bound.

    Raises
    ------
    InputError
        If there is no such method, or it proves no bound.
    """
    import warnings

    from spcabench.errors import InputError
    from spcabench.parameters import unknown_name
    from spcabench.targets import resolve

    if by not in registry.methods:
        raise InputError(f"no method '{by}'{unknown_name(by, registry.methods)}")
    spec = registry.methods[by]
    params: dict[str, Any] = {**spec.params, "n_components": 1, spec.knob.parameter: n_nonzero}
    if dataset.X is None:
        params["covariance"] = "precomputed"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a search that is stopped has a bound all the same
        fitted = resolve(spec.estimator)(**params).fit(dataset.covariance if dataset.X is None else dataset.X)
    bound = getattr(fitted, "upper_bound_", None)
    if bound is None:
        raise InputError(f"the method '{by}' proves no bound: it has no upper_bound_")
    return np.asarray(fitted.components_[0]), float(np.sum(bound))
