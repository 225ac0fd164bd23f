"""Samples of single precision against a double copy of them, in turns."""

import numpy as np
import pytest
from claims import SINGLE, conclude, cpu, seconds
from numpy.testing import assert_allclose
from sklearn.base import clone
from spcabench_datasets import spiked
from spcabench_methods import PCA, RSVD, GPower, PathSPCA, SPCArt, TPower

SIZES = ("500 x 20000", "20000 x 500", "2000 x 8000")
METHODS = {
    "tpower": TPower(3, 10),
    "gpower_l0": GPower(3, rho=0.1, penalty="l0", refit=False),
    "rsvd_l0": RSVD(3, 10, penalty="l0"),
    "pathspca": PathSPCA(3, 10),
    "pca": PCA(3),
    "spcart_l0": SPCArt(3, truncation="l0"),
}


@cpu
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", METHODS)
def test_fit(benchmark, size, name):
    n, d = map(int, size.split(" x "))
    X = spiked.load_spiked(np.random.default_rng(0), n, d, [40.0, 30.0, 20.0], 4, 1.0, 0).X.astype(np.float32)
    single, double, doubled = clone(METHODS[name]), clone(METHODS[name]), X.astype(np.float64)
    theirs = []

    def in_turn():
        theirs.append(seconds(lambda: double.fit(doubled)))

    benchmark.pedantic(single.fit, args=(X,), setup=in_turn, rounds=4, warmup_rounds=1)
    assert_allclose(single.cpev_[-1], double.cpev_[-1], rtol=1e-5)
    ours = benchmark.stats.stats.min
    conclude(benchmark, SINGLE, min(theirs) / ours, size=size, method=name, **{"s": ours, "s of double": min(theirs)})
