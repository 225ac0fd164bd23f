"""Starts from the leading eigenvector with fewer samples than features, against products of samples formed anew."""

from __future__ import annotations

import numpy as np
import pytest
from claims import WIDE
from clocks import conclude, cpu, one_quiet_thread, seconds  # noqa: F401  (a fixture)
from numpy.testing import assert_allclose
from spcabench_datasets import spiked
from spcabench_methods import RSVD
from spcabench_methods.core.moments import Data


def formed_anew(self):
    """Return the products of the deflated samples with each other, as they were found for each component."""
    return self._deflated(np.asarray(self.X @ self.X.T))


@cpu
@pytest.mark.parametrize("size", ["1000 x 10000", "2000 x 20000"])
def test_fit(benchmark, size, monkeypatch):
    n, d = map(int, size.split(" x "))
    X = spiked.load(np.random.default_rng(0), n, d, [40.0, 30.0, 20.0, 15.0, 10.0], 100, 1.0, 0).X
    method = RSVD(5, 100, penalty="l0", init="pca")
    found = benchmark.pedantic(method.fit, args=(X,), rounds=2).components_
    ours = benchmark.stats.stats.min
    monkeypatch.setattr(Data, "_cross_products", formed_anew)
    theirs = seconds(lambda: method.fit(X))
    assert_allclose(method.components_, found, atol=1e-9)
    conclude(benchmark, WIDE, theirs / ours, size=size, **{"s": ours, "formed anew s": theirs})
