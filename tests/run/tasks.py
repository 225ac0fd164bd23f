"""Tasks of workers, as a host makes them."""

from pathlib import Path

from spcabench.run.messages import FitTask
from spcabench.specs import CARDINALITY, MethodSpec


def fit_task(estimator, knob=CARDINALITY, iterations="", tolerance="", **changes):
    """Return the task that fits one component of one nonzero, but for some changes."""
    method = MethodSpec(name="tried", estimator=estimator, knob=knob, iterations=iterations, tolerance=tolerance)
    plain = {"params": {}, "n_components": 1, "n_nonzero": 1, "random_state": 0}
    return FitTask(draw=Path(), method=method, **{**plain, **changes})
