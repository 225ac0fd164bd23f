"""How many loadings are exactly zero."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from spcabench.hookspecs import hookimpl
from spcabench.specs import Array, Evaluation, MetricSpec

SPCART = "Hu, Pan, Wang and Wu 2016 (SPCArt), definition 2"


def sp(evaluation: Evaluation) -> float:
    """Mean over the components of the share of zeros."""
    return float(_zero_shares(evaluation).mean())


def sp_std(evaluation: Evaluation) -> float:
    """Sample standard deviation over the components of the share of zeros; 0 for a single one."""
    shares = _zero_shares(evaluation)
    return float(shares.std(ddof=1)) if len(shares) > 1 else 0.0


def worst_sparsity(evaluation: Evaluation) -> float:
    """Share of zeros of the densest component."""
    return float(_zero_shares(evaluation).min())


def mean_nnz(evaluation: Evaluation) -> float:
    """Mean number of nonzeros of a component."""
    return float(_nonzeros(evaluation).mean())


def nnz(evaluation: Evaluation) -> dict[str, float]:
    """Count the nonzeros of each component, counted from 1."""
    return {str(j): float(count) for j, count in enumerate(_nonzeros(evaluation), start=1)}


def n_zero_components(evaluation: Evaluation) -> float:
    """Count the components without a single nonzero."""
    return float((_nonzeros(evaluation) == 0).sum())


def _nonzeros(evaluation: Evaluation) -> NDArray[np.intp]:
    return np.asarray(np.count_nonzero(evaluation.fitted.components, axis=1))


def _zero_shares(evaluation: Evaluation) -> Array:
    return np.asarray(1.0 - _nonzeros(evaluation) / evaluation.fitted.components.shape[1])


_metric = partial(MetricSpec, range=(0.0, 1.0), unit="share", better="lower", source=SPCART)


@hookimpl
def spcabench_metrics() -> list[MetricSpec]:
    """Return the metrics of sparsity."""
    return [
        _metric(
            name="sp",
            compute="spcabench.metrics.sparsity:sp",
            title="sparsity",
            formula="mean_j s_j, s_j = 1 - nnz(w_j)/d",
            better="higher",
            sparsity=True,
        ),
        _metric(
            name="sp_std",
            compute="spcabench.metrics.sparsity:sp_std",
            title="spread of sparsity over the components",
            formula="standard deviation of s_j = 1 - nnz(w_j)/d with r - 1 in the denominator; 0 if r = 1",
            sparsity=True,
        ),
        _metric(
            name="worst_sparsity",
            compute="spcabench.metrics.sparsity:worst_sparsity",
            title="sparsity of the densest component",
            formula="min_j (1 - nnz(w_j)/d)",
            better="higher",
            sparsity=True,
        ),
        _metric(
            name="mean_nnz",
            compute="spcabench.metrics.sparsity:mean_nnz",
            title="mean number of nonzeros",
            formula="mean_j nnz(w_j)",
            range=(0.0, np.inf),
            unit="count",
            sparsity=True,
            source="Zhao, Meng and Xu 2014 (RSPCA), table 4, there called average sparsity",
        ),
        _metric(
            name="nnz",
            compute="spcabench.metrics.sparsity:nnz",
            title="nonzeros of each component",
            formula="nnz(w_j), for j = 1..r",
            range=(0.0, np.inf),
            unit="count",
            sparsity=True,
        ),
        _metric(
            name="n_zero_components",
            compute="spcabench.metrics.sparsity:n_zero_components",
            title="components that are all zero",
            formula="#{j : w_j = 0}",
            range=(0.0, np.inf),
            unit="count",
            sparsity=True,
            source="by definition",
        ),
    ]
