"""What a method proves: a bound of its objective, and how far it stays below it."""

from __future__ import annotations

import numpy as np

from spcabench.hookspecs import hookimpl
from spcabench.specs import Evaluation, MetricSpec


def upper_bound(evaluation: Evaluation) -> float:
    """Sum the proved bounds over the components; nan if the method proves none."""
    bounds = evaluation.fitted.upper_bound
    return float(np.sum(bounds)) if bounds is not None else np.nan


def gap(evaluation: Evaluation) -> float:
    """Return the share of the proved bound that the objective lacks; nan if the method proves none."""
    bounds, objective = evaluation.fitted.upper_bound, evaluation.fitted.objective
    if bounds is None or objective is None:
        return np.nan
    total = float(np.sum(bounds))
    return max(0.0, total - float(np.sum(objective))) / total if total > 0 else 0.0


@hookimpl
def spcabench_metrics() -> list[MetricSpec]:
    """Return the metrics of proofs."""
    return [
        MetricSpec(
            name="upper_bound",
            compute="spcabench.metrics.bound:upper_bound",
            title="proved bound of the objective",
            formula="sum_j u_j; no loading of component j has an objective above u_j on the matrix that it is found in",
            range=(0.0, np.inf),
            better="neither",
            source="by definition",
        ),
        MetricSpec(
            name="gap",
            compute="spcabench.metrics.bound:gap",
            title="gap to the proved bound",
            formula="(sum_j u_j - sum_j objective_j) / sum_j u_j",
            range=(0.0, 1.0),
            unit="share",
            better="lower",
            source="Berk and Bertsimas 2019, Mathematical Programming Computation 11, 381-420",
        ),
    ]
