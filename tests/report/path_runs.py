"""Somebody's solution paths, and runs that left them."""

import numpy as np
from kept import keep_loadings

from spcabench.traces import thinned_paths


class Offered:
    """Somebody's path, which offers what it was given."""

    def __init__(self, **columns):
        self.columns = columns

    def table(self, n_points, n_features):
        if "error" in self.columns:
            raise RuntimeError(self.columns["error"])
        return self.columns


class Estimator:
    """Somebody's fitted estimator."""

    def __init__(self, *paths):
        self.path_ = list(paths)


def staircase(d, **changes):
    """Return a path on which one feature after another leaves, the last first; ever longer, of constant l1 norm."""
    loadings = np.array([[1.0 / k] * k + [0.0] * (d - k) for k in range(d, 0, -1)])
    columns = {
        "step": np.arange(d),
        "cardinality": np.arange(d, 0, -1),
        "l1": np.abs(loadings).sum(axis=1),
        "l2_squared": (loadings**2).sum(axis=1),
        "variance": np.linspace(1.0, 2.0, d),
        "features": np.arange(d),
        "loadings": loadings,
    }
    return Offered(**{name: values for name, values in (columns | changes).items() if values is not None})


def path_run(make, *paths, d=5, method="cop", **suite):
    """Return a run of one method that left these paths."""
    arrays, faults = thinned_paths(Estimator(*paths), d)
    assert not faults
    make.draw(n_features=d, feature_names=[f"v{i}" for i in range(d)])
    key = f"{method}-0"
    kept = {"components": np.eye(max(len(paths), 1), d), "mean": np.zeros(d)}
    keep_loadings(make.folder, key, **kept, **arrays)
    return make([make.cell(method, draw_id="draw0", n_nonzero=2, cpev=0.5, key=key)], **suite)
