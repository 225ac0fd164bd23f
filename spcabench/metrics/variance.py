"""Variance explained by the loadings, as a share of the total variance."""

from __future__ import annotations

import warnings
from typing import Annotated

import numpy as np

from spcabench.dataset import Evaluation, Moments
from spcabench.hookspecs import Metrics
from spcabench.parameters import OneOf
from spcabench.specs import Array

MARGIN = 0.001
"""The smallest difference that matters, as a share of the total variance."""
RANK_TOLERANCE = 1e-10
"""A direction shorter than this share of the longest is none."""

metrics = Metrics(range=(0.0, 1.0), unit="share", better="higher", on="each", refitted=True, margin=MARGIN)


@metrics(
    formula="tr(Q'SQ) / tr(S), Q an orthonormal basis of span(W)",
    refitted="together",
    version=2,
    source="Shen and Huang 2008, cumulative percentage of explained variance",
)
def cpev(evaluation: Evaluation) -> float:
    """Explained variance of the span.

    Share of the variance in the subspace that the loadings span: the same for any mixture of them.
    """
    Q = orthonormal_basis(evaluation.fitted.W)
    return _share(np.trace(evaluation.moments.covariance_of_scores(Q)), evaluation.moments)


@metrics(
    formula="tr(W'SW) / tr(S); exceeds 1 where nonorthogonal loadings count variance twice",
    range=(0.0, np.inf),
    source="Hu, Pan, Wang and Wu 2016 (SPCArt), definition 5",
)
def explained_variance(evaluation: Evaluation) -> float:
    """Variance of the components, summed.

    Sum of the variances of the scores; variance that nonorthogonal loadings share counts twice.
    """
    return _share(_variances(evaluation.fitted.W, evaluation.moments).sum(), evaluation.moments)


@metrics(
    formula="sum_j R_jj^2 / (n tr(S)), Xc W = QR; depends on the order of the components",
    source="Zou, Hastie and Tibshirani 2006, section 3.4",
)
def adjusted_variance(evaluation: Evaluation, order: Annotated[str, OneOf("returned", "norm")] = "returned") -> float:
    """Variance of the components, adjusted.

    Sum of the variance that the scores of each component add to those of earlier components.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    order : {"returned", "norm"}
        Components as returned, or by decreasing norm of their scores.
    """
    scores = evaluation.moments.scores(evaluation.fitted.W)
    R = np.linalg.qr(scores, mode="r") / np.sqrt(len(scores))
    if order == "norm":
        R = R[:, np.argsort(-np.linalg.norm(R, axis=0), kind="stable")]
    added = np.einsum("ij,ij->j", nested_basis(R), R)
    return _share(added @ added, evaluation.moments)


@metrics(
    formula="sum_j w_j' S_j w_j / tr(S), S_1 = S, S_{j+1} = P_j S_j P_j, P_j = I - w_j w_j'",
    source="Mackey 2008, projection deflation; Meng, Cui, Xu and Jing 2013 (COP-PCA), section 3.2",
)
def deflated_variance(evaluation: Evaluation) -> float:
    """Variance accumulated under deflation.

    Sum of the variances of each component after projection deflation by those before it.
    """
    return _share(_deflated_variances(evaluation).sum(), evaluation.moments)


@metrics(
    formula="w_j' S_j w_j / tr(S) for j = 1, 2, ...; they sum up to deflated_variance",
    source="Meng, Cui, Xu and Jing 2013 (COP-PCA), Figure 4",
)
def component_variance(evaluation: Evaluation) -> dict[str, float]:
    """Variance of each component under deflation.

    Variance of each component, counted from 1, after projection deflation by those before it.
    """
    variances = _deflated_variances(evaluation)
    return {str(j): _share(variance, evaluation.moments) for j, variance in enumerate(variances, start=1)}


def _deflated_variances(evaluation: Evaluation) -> Array:
    W = evaluation.fitted.W
    deflated = W.copy()
    # w_l'S_l w_l is the variance of P_1 ... P_{l-1} w_l: the last projection comes first.
    for j in reversed(range(W.shape[1])):
        deflated[:, j + 1 :] -= np.outer(W[:, j], W[:, j] @ deflated[:, j + 1 :])
    return _variances(deflated, evaluation.moments)


def _variances(W: Array, moments: Moments) -> Array:
    return np.diag(moments.covariance_of_scores(W))


def orthonormal_basis(W: Array) -> Array:
    """Return orthonormal columns that span the columns of `W`: as many as its numerical rank."""
    U, sizes, _ = np.linalg.svd(W, full_matrices=False)
    return np.asarray(U[:, sizes > RANK_TOLERANCE * sizes.max(initial=0.0)])


def nested_basis(W: Array) -> Array:
    """Return orthonormal columns whose first m span the first m columns of `W`, for every m.

    A column that adds nothing to those before it becomes zero: a plain QR would put an arbitrary direction in
    its place, and so take variance from the columns after it.
    """
    Q = np.zeros(W.shape, order="F")
    for j in range(W.shape[1]):
        rest = W[:, j]
        before = Q[:, :j]
        for _ in range(2):
            rest = rest - before @ (before.T @ rest)
        size = np.linalg.norm(rest)
        if size > RANK_TOLERANCE * np.linalg.norm(W[:, j]):
            Q[:, j] = rest / size
    return Q


def _share(variance: float, moments: Moments) -> float:
    """Divide by the total variance; return zero, with a warning, where the samples do not vary at all."""
    total = moments.total_variance
    if total <= 1e-28 * float(moments.mean @ moments.mean):
        warnings.warn("the samples do not vary: every ratio of variances is 0", RuntimeWarning, stacklevel=2)
        return 0.0
    return float(variance / total)


spcabench_metrics = metrics.spcabench_metrics
