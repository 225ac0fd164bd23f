"""What is particular to this method; its promises as a plugin are tested by ``--spcabench`` in pyproject.toml."""

import numpy as np
from spcabench_example import Example


def test_the_strongest_features_are_kept() -> None:
    """Compare the support with that of a direction in little noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 1)) * [0, 3, 0, 2, 0] + 0.1 * rng.standard_normal((50, 5))
    found = Example(n_components=1, n_nonzero=2).fit(X).components_
    assert np.flatnonzero(found[0]).tolist() == [1, 3]
