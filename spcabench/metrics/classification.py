"""How well the scores separate the classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import numpy as np

from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics
from spcabench.parameters import NOTHING, Either, ListOf, Whole
from spcabench.specs import Array

RSPCA = "Zhao, Meng and Xu 2014 (RSPCA), section 3.3, Figure 6"
BLOCK = 256
"""How many test samples are compared at a time, to bound memory."""


Numbers = Annotated[Iterable[int] | None, Either(NOTHING, ListOf(Whole(1)))]
REQUIRES = frozenset({"samples", "test", "labels"})
metrics = Metrics(range=(0.0, 1.0), unit="share", better="higher", requires=REQUIRES, source=RSPCA)


@metrics(
    formula="share of held-out samples whose nearest training sample, by ||W_m'(x - x_i)||, has their class",
    refitted=True,
)
def accuracy(evaluation: Evaluation, m: Numbers = None) -> dict[str, float]:
    """Accuracy of the nearest neighbour.

    Share of the test samples whose nearest training sample, by the first m scores, is of their class.

    Parameters
    ----------
    evaluation : Evaluation
        Of the fit.
    m : sequence of int, optional
        Numbers of leading components; null: all.
    """
    W = evaluation.fitted.W
    stops = sorted({stop for stop in (m or [W.shape[1]]) if stop <= W.shape[1]})
    training, test = np.asarray(evaluation.dataset.X), np.asarray(evaluation.dataset.X_test)
    right = _right_by_stop(training @ W, test @ W, evaluation, stops)
    return {str(stop): count / len(test) for stop, count in zip(stops, right, strict=True)}


@metrics(formula="share of held-out samples whose nearest training sample, by ||x - x_i||, has their class")
def accuracy_raw(evaluation: Evaluation) -> float:
    """Accuracy of the nearest neighbour on all features.

    Share of the test samples whose nearest training sample, by all features, is of their class.
    """
    training, test = np.asarray(evaluation.dataset.X), np.asarray(evaluation.dataset.X_test)
    return _right_by_stop(training, test, evaluation, [training.shape[1]])[0] / len(test)


def _right_by_stop(training: Array, test: Array, evaluation: Evaluation, stops: list[int]) -> list[int]:
    """Count the test samples that are classified correctly by the leading columns, for each number of columns."""
    y, y_test = np.asarray(evaluation.dataset.y), np.asarray(evaluation.dataset.y_test)
    right = [0] * len(stops)
    for start in range(0, len(test), BLOCK):
        some, labels = test[start : start + BLOCK], y_test[start : start + BLOCK]
        distances = np.zeros((len(some), len(training)))
        for i, (first, last) in enumerate(zip([0, *stops[:-1]], stops, strict=True)):
            a, b = some[:, first:last], training[:, first:last]
            distances += np.einsum("ij,ij->i", b, b) - 2.0 * (a @ b.T)  # what is left out is the same for all
            right[i] += int((y[distances.argmin(axis=1)] == labels).sum())
    return right


spcabench_metrics = metrics.spcabench_metrics
