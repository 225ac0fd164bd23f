"""Starts from the leading eigenvector with fewer samples than features, against what they have to compute.

That is the matrix of products of samples, once, and a product of scores with the samples for each iteration, start and
deflation.  How many times faster than with the matrix formed anew for each component a fit can be, follows from it.
"""

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
    X = spiked.load_spiked(np.random.default_rng(0), n, d, [40.0, 30.0, 20.0, 15.0, 10.0], 100, 1.0, 0).X
    method = RSVD(5, 100, penalty="l0", init="pca")
    found = benchmark.pedantic(method.fit, args=(X,), rounds=2).components_
    ours = benchmark.stats.stats.min
    scores = np.ones(n)
    n_products = method.n_iter_per_component_.sum() + 2 * len(found)  # a start takes one, and a deflation
    least = seconds(lambda: X @ X.T, 2) + n_products * seconds(lambda: scores @ X, 10)
    monkeypatch.setattr(Data, "_cross_products", formed_anew)
    theirs = seconds(lambda: method.fit(X))
    assert_allclose(method.components_, found, atol=1e-9)
    times = {"s": ours, "least s": least, "formed anew s": theirs}
    faster = {"times faster": theirs / ours, "at most": theirs / least}
    conclude(benchmark, WIDE, ours / least, size=size, **times, **faster)
