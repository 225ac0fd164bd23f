"""Fits from the default starts, with exchanges, against those from the published start, in turns."""

from __future__ import annotations

import pytest
from claims import STARTS
from clocks import conclude, cpu, one_quiet_thread, seconds  # noqa: F401  (a fixture)
from problems import cardinality, samples
from sklearn.base import clone
from spcabench_methods import RSVD, GPower, PathSPCA, TPower

SIZES = ("62 x 2000", "500 x 2000")
METHODS = {
    "tpower": TPower(),
    "gpower_l0": GPower(penalty="l0"),
    "gpower_l1": GPower(penalty="l1"),
    "rsvd_l0": RSVD(penalty="l0"),
    "pathspca": PathSPCA(),
}


@cpu
@pytest.mark.parametrize("n_components", [1, 5])
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("size", SIZES)
def test_fit(benchmark, size, name, n_components):
    X = samples(size)
    method = clone(METHODS[name]).set_params(n_components=n_components, n_nonzero=cardinality(X.shape[1]))
    published = clone(method).set_params(init="published").fit(X)
    method.fit(X)
    theirs = []

    def in_turn():
        theirs.append(seconds(lambda: published.fit(X)))

    benchmark.pedantic(method.fit, args=(X,), setup=in_turn, rounds=30)
    assert method.cpev_[-1] >= (1.0 - 1e-3) * published.cpev_[-1]
    ours = benchmark.stats.stats.min
    cells = {"cpev published": published.cpev_[-1], "ms": 1e3 * ours, "ms published": 1e3 * min(theirs)}
    conclude(
        benchmark,
        STARTS,
        ours / min(theirs),
        size=size,
        method=name,
        components=n_components,
        cpev=method.cpev_[-1],
        **cells,
    )
