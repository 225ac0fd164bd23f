"""Properties of the solution path of the first component, for methods that record one."""

from __future__ import annotations

import numpy as np

from spcabench.dataset import Evaluation
from spcabench.hookspecs import Metrics
from spcabench.traces import PathTable

COP = "Meng, Cui, Xu and Jing 2013 (COP-PCA), section 2.5 and Figure 5"

metrics = Metrics(range=(0.0, 1.0), unit="share", source=COP)


@metrics(formula="min ||w||_1 / max ||w||_1 over the iterates w on record; 1 if it is constant")
def path_l1(evaluation: Evaluation) -> float:
    """Constancy of the l1 norm along the path.

    Smallest l1 norm of the iterates as a share of the largest; nan without a path.
    """
    path = _first(evaluation)
    return float(path.l1.min() / path.l1.max()) if path else float("nan")


@metrics(formula="squared correlation of w'w and the number of steps over the iterates w on record")
def path_line(evaluation: Evaluation) -> float:
    """Straightness of the squared length along the path.

    Share of the variation of w'w along the path that a straight line explains; nan without a path to vary on.
    """
    path = _first(evaluation)
    if path is None or np.ptp(path.step) == 0 or np.ptp(path.l2_squared) == 0:
        return float("nan")
    return float(np.corrcoef(path.step, path.l2_squared)[0, 1] ** 2)


@metrics(formula="share of neighbouring iterates on record with a larger w'Sw at the second, from dense to sparse")
def path_rise(evaluation: Evaluation) -> float:
    """How steadily the objective rises along the path.

    Share of the stretches of the path on which w'Sw rises; nan without any.
    """
    path = _first(evaluation)
    return float(np.mean(np.diff(path.variance) > 0)) if path and len(path.step) > 1 else float("nan")


def _first(evaluation: Evaluation) -> PathTable | None:
    return evaluation.fitted.paths.get(0)


spcabench_metrics = metrics.spcabench_metrics
