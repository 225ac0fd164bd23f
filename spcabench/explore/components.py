"""What a reader wants to know of each component: its variables, its share, and how sure both are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spcabench.explore.stability import Stability
from spcabench.specs import Array

CLOSE = 0.3
"""Components with a larger cosine share variance; their scores are better fitted together."""


@dataclass(frozen=True)
class Variable:
    """A variable of a component.

    Parameters
    ----------
    name : str
        Its column.
    loading : float
        Signed; the squares of a component sum up to 1.
    correlation : float
        With the score of the component.
    frequency : float
        The share of halves in which it is selected; nan if there are none.
    agreement : float
        The share of the methods that may be the best whose component has it; nan if there is no other.
    """

    name: str
    loading: float
    correlation: float
    frequency: float
    agreement: float


@dataclass(frozen=True)
class Component:
    """A component.

    Parameters
    ----------
    variables : tuple of Variable
        The largest loading first.
    left_out : tuple of (str, float)
        The two variables that halves select most often beside them, with their frequencies.
    share : float
        Of the total variance, alone.
    nearest, cosine : int, float
        The principal component that it resembles most, from 1, and their absolute cosine.
    kept : float
        Its variance as a share of that of this principal component.
    overlap : float
        Its largest absolute cosine with another sparse component.
    """

    variables: tuple[Variable, ...]
    left_out: tuple[tuple[str, float], ...]
    share: float
    nearest: int
    cosine: float
    kept: float
    overlap: float


def describe(
    X: Array, names: Sequence[str], whole: Array, dense: Array, found: Stability, others: Sequence[Array]
) -> tuple[Component, ...]:
    """Describe components.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples, scaled as they are fitted.
    names : sequence of str
        Of the features.
    whole : ndarray of shape (n_components, n_features)
        Unit loadings.
    dense : ndarray of shape (n_directions, n_features)
        Principal directions.
    found : Stability
        Of the components.
    others : sequence of ndarray of shape (n_components, n_features)
        Loadings of the other methods that may be the best, matched to `whole`.
    """
    total = float(np.mean(X**2)) * X.shape[1]
    scores = X @ whole.T
    own = np.mean(scores**2, axis=0)
    principal = np.mean((X @ dense.T) ** 2, axis=0)
    near = np.abs(whole @ dense.T)
    alike = np.abs(whole @ whole.T) - np.eye(len(whole))
    spread = X.std(axis=0)
    described = []
    for j, w in enumerate(whole):
        support = sorted(np.flatnonzero(w).tolist(), key=lambda f: -abs(w[f]))
        with np.errstate(divide="ignore", invalid="ignore"):
            correlation = X.T @ scores[:, j] / len(X) / (spread * np.sqrt(own[j]))
        agreement = np.mean([other[j] != 0 for other in others], axis=0) if others else np.full(len(w), np.nan)
        variables = tuple(
            Variable(names[f], float(w[f]), float(correlation[f]), float(found.frequencies[j, f]), float(agreement[f]))
            for f in support
        )
        best = int(near[j].argmax())
        described.append(
            Component(
                variables,
                tuple(_left_out(names, w, found.frequencies[j])),
                float(own[j] / total),
                best + 1,
                float(near[j, best]),
                float(own[j] / principal[best]),
                float(alike[j].max()),
            )
        )
    return tuple(described)


def _left_out(names: Sequence[str], w: Array, frequencies: Array) -> list[tuple[str, float]]:
    rest = [int(f) for f in np.argsort(-frequencies, kind="stable") if w[f] == 0 and frequencies[f] > 0]
    return [(names[f], float(frequencies[f])) for f in rest[:2]]
