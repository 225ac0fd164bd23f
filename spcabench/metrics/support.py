"""Recovery of the true supports, where they are known.

Of components fitted and components of known support, as many are compared as there are of the fewer.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics
from spcabench.parameters import OneOf

Supports = NDArray[np.bool_]
Match = Annotated[str, OneOf("order", "overlap")]

metrics = Metrics(range=(0.0, 1.0), better="lower", requires=frozenset({"supports"}))


@metrics(
    formula="sum_j |E_j xor S_j| / (r d), S_j the true and E_j the found support of component j",
    unit="share",
    source="Zhao, Meng and Xu 2014 (RSPCA), figures 2 and 3, which leave it undefined",
)
def mr(evaluation: Evaluation, match: Match = "order") -> float:
    """Misidentification rate.

    Share of the decisions, zero or not, that are wrong.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    match : {"order", "overlap"}
        Components in the order returned, or matched to the true ones by the largest total overlap.
    """
    found, true = _pairs(evaluation, match)
    return float((found ^ true).mean())


@metrics(
    formula="sum_j |E_p(j) xor S_j| / (r d), p of the largest total overlap |E_p(j) and S_j|",
    unit="share",
    source="Zhao, Meng and Xu 2014 (RSPCA), figures 2 and 3; Hungarian matching",
)
def mr_matched(evaluation: Evaluation) -> float:
    """Misidentification rate, components matched.

    Share of the decisions, zero or not, that are wrong, whatever the order of the components.
    """
    return mr(evaluation, match="overlap")


@metrics(
    formula="1 if E_p(j) = S_j for every j, p of the largest total overlap |E_p(j) and S_j|; else 0",
    unit="share",
    better="higher",
    source="exact recovery, as in Amini and Wainwright 2009; Hungarian matching",
)
def exact_support(evaluation: Evaluation, match: Match = "overlap") -> float:
    """Whether the true supports are found.

    Return 1 if the supports found are the true ones, and 0 if not.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    match : {"order", "overlap"}
        Components in the order returned, or matched to the true ones by the largest total overlap.
    """
    return float(mr(evaluation, match) == 0)


@metrics(
    formula="mean_j 2 |E_p(j) and S_j| / (|E_p(j)| + |S_j|), p of the largest total overlap",
    better="higher",
    source="van Rijsbergen 1979, effectiveness",
)
def f1(evaluation: Evaluation, match: Match = "overlap") -> float:
    """F1 score of the supports.

    Harmonic mean of precision and recall, averaged over the components; 0 for an empty support.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    match : {"order", "overlap"}
        Components in the order returned, or matched to the true ones by the largest total overlap.
    """
    found, true = _pairs(evaluation, match)
    sizes = found.sum(axis=1) + true.sum(axis=1)
    return float(np.mean(2.0 * (found & true).sum(axis=1) / np.maximum(sizes, 1)))


def _pairs(evaluation: Evaluation, match: str) -> tuple[Supports, Supports]:
    found, true = evaluation.fitted.components != 0, np.asarray(evaluation.dataset.supports)
    if match == "overlap":
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(found.astype(float) @ true.T.astype(float), maximize=True)
        return found[rows], true[columns]
    r = min(len(found), len(true))
    return found[:r], true[:r]


spcabench_metrics = metrics.spcabench_metrics
