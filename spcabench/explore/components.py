"""What a reader wants to know of each component: its variables, its share, what it resembles, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.linalg import eigh

from spcabench.explore.judging import Stability
from spcabench.specs import Array

TINY = 1e-300
CLOSE = 0.3
"""Components with a larger cosine share variance; their scores are better fitted together."""


@dataclass(frozen=True, eq=False)
class Component:
    """A component.

    Parameters
    ----------
    variables : DataFrame
        By name, the largest ``loading`` first, signed, whose squares sum up to 1; ``correlation`` with the score of the
        component; ``frequency``, the share of halves in which it is selected, nan if there are none; ``agreement``, the
        share of the methods that may be the best whose component has it, nan if there is no other.
    left_out : Series
        The frequencies of the two variables that halves select most often beside them.
    share : float
        Of the total variance, alone.
    nearest, cosine : int, float
        The principal component that it resembles most, from 1, and their absolute cosine.
    kept : float
        Its variance as a share of that of this principal component.
    overlap : float
        Its largest absolute cosine with another sparse component.
    """

    variables: pd.DataFrame
    left_out: pd.Series[float]
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
        with np.errstate(divide="ignore", invalid="ignore"):
            correlation = X.T @ scores[:, j] / len(X) / (spread * np.sqrt(own[j]))
        agreement = np.mean([other[j] != 0 for other in others], axis=0) if others else np.full(len(w), np.nan)
        columns = {"loading": w, "correlation": correlation, "frequency": found.frequencies[j], "agreement": agreement}
        every = pd.DataFrame(columns, index=list(names))
        rest = every.loc[(w == 0) & (every["frequency"] > 0), "frequency"]
        nearest = int(near[j].argmax())
        described.append(
            Component(
                variables=every[w != 0].sort_values("loading", key=abs, ascending=False, kind="stable"),
                left_out=rest.sort_values(ascending=False, kind="stable")[:2],
                share=float(own[j] / total),
                nearest=nearest + 1,
                cosine=float(near[j, nearest]),
                kept=float(own[j] / principal[nearest]),
                overlap=float(alike[j].max()),
            )
        )
    return tuple(described)


def directions(X: Array, count: int) -> Array:
    """Return the leading principal directions of rows, shape (count, n_features), from the smaller Gram matrix."""
    tall = len(X) >= X.shape[1]
    gram = X.T @ X if tall else X @ X.T
    values, vectors = eigh(gram, subset_by_index=[max(len(gram) - count, 0), len(gram) - 1])
    found = vectors.T[::-1]
    return np.asarray(found if tall else (found @ X) / np.sqrt(np.maximum(values[::-1], TINY))[:, None])
