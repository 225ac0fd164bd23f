"""A penalty that all components share is searched for their nonzeros together."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from spcabench.run.worker.estimator import search_joint, total_target
from spcabench.specs import Knob

TOTALS = np.array([0.05, 0.2, 0.2, 0.7, 3.0, 40.0])


def fit(penalty):
    """Return two components whose entries above the penalty are nonzero."""
    return SimpleNamespace(components_=(penalty < TOTALS).reshape(2, 3) * 1.0)


@pytest.mark.parametrize(("target", "reached"), [(6, 6), (5, 5), (4, 3), (3, 3), (1, 1)])
@pytest.mark.parametrize("high", [50.0, math.inf])
def test_the_target_or_the_nearest_below_it(target, reached, high):
    found, n_fits = search_joint(fit, Knob("penalty", "alpha", 0.0, high), target)
    assert list(found) == ["alpha"]
    assert np.count_nonzero(fit(found["alpha"]).components_) == reached
    assert n_fits >= 1


def test_a_target_is_counted_over_all_components():
    assert total_target(4, 3, 10) == 12
    assert total_target([4, 2, 30], 3, 10) == 16


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
