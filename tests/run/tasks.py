"""Tasks of workers, as a host makes them, and what it keeps of a draw."""

from pathlib import Path

from spcabench.run.messages import FitTask
from spcabench.specs import CARDINALITY, MethodSpec
from spcabench.store.about import DrawRecord


def fit_task(estimator, knob=CARDINALITY, iterations="", tolerance="", **changes):
    """Return the task that fits one component of one nonzero, but for some changes."""
    method = MethodSpec(name="tried", estimator=estimator, knob=knob, iterations=iterations, tolerance=tolerance)
    plain = {"params": {}, "n_components": 1, "n_nonzero": 1, "random_state": 0}
    return FitTask(draw=Path(), method=method, **{**plain, **changes})


def draw_record(**changes):
    """Return what is known of a draw of 50 samples of 8 features, but for some changes."""
    data = {"fingerprint": "f00d", "facts": ("samples",), "n_samples": 50, "n_features": 8, "image_shape": None}
    named = {"id": "draw", "label": "spiked", "stand_in": "", "stamp": {}, "notes": ""}
    return DrawRecord(**{**data, **named, "feature_names": (), "files": (), **changes})
