"""A penalty that all components share is searched for their nonzeros together."""

import math

import numpy as np
import pytest
from tasks import fit_task

from spcabench import Dataset
from spcabench.run.worker.estimator import Maker, search_joint
from spcabench.specs import Knob

TOTALS = np.array([0.05, 0.2, 0.2, 0.7, 3.0, 40.0])


class Above:
    """Finds two components whose entries above the penalty are nonzero."""

    def __init__(self, alpha):
        self.alpha = alpha

    def fit(self, X):
        self.components_ = (self.alpha < TOTALS).reshape(2, 3) * 1.0


@pytest.mark.parametrize(
    ("n_nonzero", "reached"),
    [(3, 6), ([3, 2], 5), (2, 3), ([1, 30], 3), ([2, 1], 3), ([1, 0], 1)],
    ids=str,
)
@pytest.mark.parametrize("high", [50.0, math.inf])
def test_the_target_over_all_components_or_the_nearest_below_it(n_nonzero, reached, high):
    task = fit_task("above:Above", Knob("penalty", "alpha", 0.0, high), n_components=2)
    found, n_fits = search_joint(Maker(Above, task, Dataset(X=np.eye(3))), n_nonzero)
    assert list(found) == ["alpha"]
    assert np.count_nonzero(found["alpha"] < TOTALS) == reached
    assert n_fits >= 1


def test_the_host_searches_a_joint_penalty(here):
    frame, folder, _ = here(methods=["spcart_l0"], n_nonzero=3, metrics=["cpev", "mean_nnz", "total_time"], repeats=3)
    record = folder.record(frame.key[0])
    assert frame.status[0] == "ok"
    assert frame.mean_nnz[0] == 3
    assert record.fit.target_missed == ()
    assert 0 < record.fit.found["threshold"] < 1
    assert record.timing.n_fits[0] > 1
    assert frame.fit_time[0] in record.timing.fit_time
    assert frame.total_time[0] == frame.fit_time[0] + record.timing.search_time[0] > frame.fit_time[0]
