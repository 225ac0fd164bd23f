"""What is particular to this metric; its promises as a plugin are tested by ``--spcabench`` in pyproject.toml."""

import numpy as np
from spcabench_example import compute

from spcabench import Dataset, Evaluation, Fitted, Moments


def test_features_that_two_components_share_count_once() -> None:
    """Compute it by hand: three of four features are used."""
    X = np.eye(4)
    components = np.array([[0.6, 0.8, 0, 0], [0, 0.6, 0.8, 0]])
    fitted = Fitted(components=components, mean=X.mean(axis=0))
    assert compute(Evaluation(dataset=Dataset(X=X), fitted=fitted, moments=Moments(X=X))) == 0.75
