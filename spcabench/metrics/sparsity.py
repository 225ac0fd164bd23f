"""How many loadings are exactly zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics
from spcabench.specs import Array

SPCART = "Hu, Pan, Wang and Wu 2016 (SPCArt), definition 2"

metrics = Metrics(range=(0.0, 1.0), unit="share", better="lower", source=SPCART)


@metrics(
    formula="mean_j s_j, s_j = 1 - nnz(w_j)/d",
    better="higher",
    sparsity=True,
)
def sp(evaluation: Evaluation) -> float:
    """Sparsity.

    Mean over the components of the share of zeros.
    """
    return float(_zero_shares(evaluation).mean())


@metrics(
    formula="standard deviation of s_j = 1 - nnz(w_j)/d with r - 1 in the denominator; 0 if r = 1",
    sparsity=True,
)
def sp_std(evaluation: Evaluation) -> float:
    """Spread of sparsity over the components.

    Sample standard deviation over the components of the share of zeros; 0 for a single one.
    """
    shares = _zero_shares(evaluation)
    return float(shares.std(ddof=1)) if len(shares) > 1 else 0.0


@metrics(
    formula="min_j (1 - nnz(w_j)/d)",
    better="higher",
    sparsity=True,
)
def worst_sparsity(evaluation: Evaluation) -> float:
    """Sparsity of the densest component."""
    return float(_zero_shares(evaluation).min())


@metrics(
    formula="mean_j nnz(w_j)",
    range=(0.0, np.inf),
    unit="count",
    sparsity=True,
    source="Zhao, Meng and Xu 2014 (RSPCA), table 4, there called average sparsity",
)
def mean_nnz(evaluation: Evaluation) -> float:
    """Mean number of nonzeros."""
    return float(_nonzeros(evaluation).mean())


@metrics(
    formula="nnz(w_j), for j = 1..r",
    range=(0.0, np.inf),
    unit="count",
    sparsity=True,
)
def nnz(evaluation: Evaluation) -> dict[str, float]:
    """Nonzeros of each component.

    Count the nonzeros of each component, counted from 1.
    """
    return {str(j): float(count) for j, count in enumerate(_nonzeros(evaluation), start=1)}


def _nonzeros(evaluation: Evaluation) -> NDArray[np.intp]:
    return np.asarray(np.count_nonzero(evaluation.fitted.components, axis=1))


def _zero_shares(evaluation: Evaluation) -> Array:
    return np.asarray(1.0 - _nonzeros(evaluation) / evaluation.fitted.components.shape[1])


spcabench_metrics = metrics.spcabench_metrics
