"""Metrics: how far each component is from the best one of its cardinality, on the matrix that it was found in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from spcabench import Evaluation, Moments
from spcabench_methods.certified.bounds import largest_eigenvalue
from spcabench_methods.certified.certify import certificate
from spcabench_methods.core.arrays import Array, largest_sums
from spcabench_methods.core.deflation import SCHEMES, projection
from spcabench_methods.core.moments import Data, Gram, SecondMoments, data_of

TOL = 1e-9
"""The gap at which a search ends."""

MOST_SEARCHED = 4000
"""Samples of more features have bounds by formula alone, which need no matrix of features by features."""

MOST_NODES = 1_000_000


@dataclass(frozen=True)
class Proved:
    """What is proved of a component.

    Parameters
    ----------
    value : float
        Its variance on the matrix that it was found in.
    bound : float
        What no loading of as many nonzeros exceeds there.
    kind : str
        How that was proved; see `Certificate`.
    """

    value: float
    bound: float
    kind: str

    @property
    def gap(self) -> float:
        """The share of the bound that the value lacks."""
        return max(0.0, self.bound - self.value) / self.bound if self.bound > 0.0 else 0.0


@dataclass(frozen=True, eq=False)
class Question:
    """A fit and a limit; equal questions are about the very same fit, so that one proof serves several metrics."""

    evaluation: Evaluation
    time_limit: float
    most_features: int | None = None

    @property
    def _about(self) -> tuple[int, int, float, int | None]:
        return id(self.evaluation.fitted), id(self.evaluation.moments), self.time_limit, self.most_features

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self._about == other._about

    def __hash__(self) -> int:
        return hash(self._about)


@lru_cache(maxsize=2)
def proofs(question: Question) -> tuple[Proved | None, ...]:
    """Return what is proved of each component; None of a component that is zero, or of too many features.

    Component j is judged on S after the deflation of those before it: as its method deflates, and by projection if the
    method does not say, or finds components together.
    """
    fitted = question.evaluation.fitted
    if question.most_features is not None and fitted.components.shape[1] > question.most_features:
        return (None,) * len(fitted.components)
    rest = second_moments(question.evaluation.moments)
    remove = SCHEMES.get(fitted.deflation, projection)(rest)
    found: list[Proved | None] = []
    for w in fitted.components:
        if not w.any():
            found.append(None)
            continue
        found.append(proved(rest, w, question.time_limit))
        if len(found) < len(fitted.components):
            remove(w)
    return tuple(found)


def second_moments(moments: Moments) -> SecondMoments:
    """Return second moments that may be deflated: a matrix, or samples of many features."""
    if moments.X is None:
        S = np.asarray(moments.covariance, dtype=np.float64)
        return Gram(0.5 * (S + S.T))
    if moments.X.shape[1] > MOST_SEARCHED:
        return data_of(np.asarray(moments.X, dtype=np.float64), moments.mean)
    return Gram.of(np.asarray(moments.X, dtype=np.float64), moments.mean)


def proved(rest: SecondMoments, w: Array, time_limit: float) -> Proved:
    """Bound the variance of all loadings with as many nonzeros as a unit loading."""
    k = int(np.count_nonzero(w))
    if isinstance(rest, Gram):
        proof = certificate(rest, w, k, TOL, time_limit, MOST_NODES)
        return Proved(proof.value, proof.upper_bound, proof.bound_kind)
    assert isinstance(rest, Data)
    bounds = {"eigenvalue": eigenvalue(rest), "trace": float(largest_sums(rest.diagonal, k))}
    kind = min(bounds, key=lambda name: bounds[name])
    value = rest.quadratic(w)
    return Proved(value, max(bounds[kind], value), kind)


def eigenvalue(samples: Data) -> float:
    """Return an upper bound of the largest eigenvalue of X'X/n, from XX'/n."""
    X = samples.samples(np.arange(samples.n_features))
    return largest_eigenvalue(X @ X.T / len(X))


def _of(question: Question) -> list[Proved]:
    return [one for one in proofs(question) if one is not None]


def _each(question: Question, of: str) -> dict[str, float]:
    found = proofs(question)
    return {str(j): np.nan if one is None else getattr(one, of) for j, one in enumerate(found, start=1)}


def upper_bound(evaluation: Evaluation, time_limit: float, most_features: int | None = None) -> float:
    """Sum the bounds over the components that are not zero."""
    found = _of(Question(evaluation, time_limit, most_features))
    return sum(one.bound for one in found) if found else np.nan


def gap(evaluation: Evaluation, time_limit: float, most_features: int | None = None) -> float:
    """Return the share of the bounds that the variances lack, summed over the components that are not zero."""
    found = _of(Question(evaluation, time_limit, most_features))
    if not found:
        return np.nan
    return Proved(sum(one.value for one in found), sum(one.bound for one in found), "").gap


def component_value(evaluation: Evaluation, time_limit: float, most_features: int | None = None) -> dict[str, float]:
    """Return the variance of each component, counted from 1."""
    return _each(Question(evaluation, time_limit, most_features), "value")


def component_bound(evaluation: Evaluation, time_limit: float, most_features: int | None = None) -> dict[str, float]:
    """Return the bound of each component, counted from 1."""
    return _each(Question(evaluation, time_limit, most_features), "bound")


def component_gap(evaluation: Evaluation, time_limit: float, most_features: int | None = None) -> dict[str, float]:
    """Return the gap of each component, counted from 1."""
    return _each(Question(evaluation, time_limit, most_features), "gap")


def bound_kind(evaluation: Evaluation, time_limit: float, most_features: int | None = None) -> dict[str, float]:
    """Count the components whose bound was proved in each way."""
    return dict(Counter(one.kind for one in _of(Question(evaluation, time_limit, most_features))))
