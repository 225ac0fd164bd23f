"""Two threads against one, by the clock on the wall, in turns; only where there are two processors."""

import time

import numpy as np
import pytest
from claims import THREADS, conclude
from joblib import cpu_count
from numpy.testing import assert_array_equal
from sklearn.base import clone
from spcabench_methods import RSVDGP, GPower, GPowerBlock, SPCAvRP, TPower

METHODS = {
    "tpower": ((1000, 3000), TPower(1, 50, init="random", n_init=8, polish=False, max_iter=20, random_state=0)),
    "gpower": ((1000, 3000), GPower(1, rho=0.05, init="random", n_init=8, polish=False, max_iter=20, random_state=0)),
    "rsvdgp": ((1000, 3000), RSVDGP(1, threshold=0.02, init="random", n_init=8, max_iter=20, random_state=0)),
    "gpower_block": ((1000, 3000), GPowerBlock(3, init="random", n_init=4, max_iter=20, random_state=0)),
    "spcavrp, 20 of 3000": ((1000, 3000), SPCAvRP(1, 20, n_groups=16, n_draws=100, random_state=0)),
    "spcavrp, 50 of 300": ((600, 300), SPCAvRP(1, 50, n_groups=16, n_draws=100, random_state=0)),
}


@pytest.mark.skipif(cpu_count() < 2, reason="there is one processor")
@pytest.mark.parametrize("name", METHODS)
def test_fit(benchmark, name):
    shape, method = METHODS[name]
    X = np.random.default_rng(0).standard_normal(shape)
    one, two = clone(method), clone(method).set_params(n_jobs=2)
    alone = []

    def in_turn():
        start = time.perf_counter()
        one.fit(X)
        alone.append(time.perf_counter() - start)

    benchmark.pedantic(two.fit, args=(X,), setup=in_turn, rounds=3, warmup_rounds=1)
    assert_array_equal(two.components_, one.components_)
    ours = benchmark.stats.stats.min
    conclude(benchmark, THREADS, min(alone) / ours, method=name, **{"s": ours, "s of one": min(alone)})
