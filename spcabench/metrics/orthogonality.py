"""How far the loadings are from orthogonal."""

from __future__ import annotations

import numpy as np

from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics
from spcabench.specs import Array

SPCART = "Hu, Pan, Wang and Wu 2016 (SPCArt), section 6, criterion NOR"

metrics = Metrics(range=(0.0, 1.0), better="lower", refitted=True, source=SPCART)


@metrics(formula="sum_{i != j} |cos(w_i, w_j)| / (r (r - 1)); pairs with a zero loading count as 0")
def nor(evaluation: Evaluation) -> float:
    """Nonorthogonality.

    Mean over the pairs of components of |cos|; 0 for a single component.
    """
    cosines = _cosines(evaluation)
    r = len(cosines)
    return float(cosines.sum() / (r * (r - 1))) if r > 1 else 0.0


@metrics(formula="max_{i != j} |cos(w_i, w_j)|")
def max_nor(evaluation: Evaluation) -> float:
    """Nonorthogonality of the worst pair.

    Largest |cos| of any pair of components; 0 for a single component.
    """
    return float(_cosines(evaluation).max())


def _cosines(evaluation: Evaluation) -> Array:
    """|cos| of the pairs, 0 on the diagonal and for a zero component."""
    components = evaluation.fitted.components
    norms = np.linalg.norm(components, axis=1, keepdims=True)
    units = components / np.where(norms > 0, norms, 1.0)
    cosines = np.abs(units @ units.T)
    np.fill_diagonal(cosines, 0.0)
    return cosines


spcabench_metrics = metrics.spcabench_metrics
