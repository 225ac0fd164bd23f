"""Tasks of workers, as a host makes them."""

from pathlib import Path

from spcabench.run.messages import FitTask
from spcabench.specs import CARDINALITY


def fit_task(estimator, **changes):
    """Return the task that fits one component of one nonzero, but for some changes."""
    plain = {"params": {}, "knob": CARDINALITY, "n_components": 1, "n_nonzero": 1, "random_state": 0}
    return FitTask(draw=Path(), estimator=estimator, **{**plain, **changes})
