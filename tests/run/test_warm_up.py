"""The fit before the clock starts, which loads and compiles what the timed one needs."""

from __future__ import annotations

import numpy as np
import pytest

from spcabench.run.messages import FitTask
from spcabench.run.worker.estimator import Maker, warm_up
from spcabench.specs import DENSE, Dataset

SEEN = []


class Seen:
    """A method that remembers what it was given."""

    def __init__(self, n_components=2, covariance=None):
        self.n_components, self.covariance = n_components, covariance

    def fit(self, X):
        SEEN.append(X)
        return self


@pytest.mark.parametrize("kind", ["X", "covariance"])
def test_it_sees_data_of_the_kind_to_come(tmp_path, kind):
    np.save(tmp_path / "data.npy", np.eye(8))
    mapped = np.load(tmp_path / "data.npy", mmap_mode="r")
    task = FitTask(
        draw=tmp_path,
        estimator=f"tests:Seen {kind}",
        params={},
        knob=DENSE,
        n_components=3,
        n_nonzero=None,
        random_state=0,
    )
    SEEN.clear()
    for _ in range(2):
        warm_up(Maker(Seen, task, Dataset(**{kind: mapped})))
    (small,) = SEEN
    assert type(small) is np.memmap
    assert not small.flags.writeable
    assert small.shape == ((24, 6) if kind == "X" else (6, 6))
