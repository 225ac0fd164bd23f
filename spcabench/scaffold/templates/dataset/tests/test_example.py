"""What is particular to this data set; its promises as a plugin are tested by ``--spcabench`` in pyproject.toml."""

import numpy as np
from spcabench_example import load


def test_the_features_of_the_direction_vary_most() -> None:
    """Compare the variances of the features on the support with the others."""
    data = load(np.random.default_rng(0), n=200, noise=0.5)
    assert data.X is not None
    assert data.supports is not None
    assert data.X.var(axis=0)[data.supports[0]].min() > data.X.var(axis=0)[~data.supports[0]].max()
