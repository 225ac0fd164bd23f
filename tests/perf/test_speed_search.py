"""GPower and RSVDGP with a wanted cardinality against the same fit with the penalties that their search found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from claims import SEARCH_HITS, SEARCH_MISSES, conclude, cpu, seconds
from problems import samples
from sklearn.base import clone
from sklearn.datasets import load_wine
from spcabench_datasets import measured
from spcabench_methods import RSVDGP, GPower

from spcabench import DataUnavailable

ROUNDS = 5
SEARCHES = {
    "gpower l0, several": GPower(penalty="l0"),
    "gpower l1, several": GPower(),
    "gpower l1 as shrunk, several": GPower(refit=False),
    "gpower l0, published": GPower(penalty="l0", init="published"),
    "gpower l1, published": GPower(init="published"),
    "gpower l1 as shrunk, published": GPower(refit=False, init="published"),
    "rsvdgp l0": RSVDGP(truncation="l0"),
    "rsvdgp l1": RSVDGP(truncation="l1"),
    "rsvdgp en": RSVDGP(truncation="en"),
}


def wine():
    X = load_wine().data
    return (X - X.mean(axis=0)) / X.std(axis=0)


def colon():
    try:
        return measured.load_colon(np.random.default_rng(0), None).X
    except DataUnavailable as missing:
        pytest.skip(str(missing))


def hastie():
    """Draw 100 samples of 180 features in three blocks, each of a factor and noise."""
    rng = np.random.default_rng(0)
    v1, v2 = math.sqrt(290.0) * rng.standard_normal(100), math.sqrt(300.0) * rng.standard_normal(100)
    v3 = -0.3 * v1 + 0.925 * v2 + rng.standard_normal(100)
    return np.repeat(np.column_stack([v1, v2, v3]), 60, axis=1) + rng.standard_normal((100, 180))


def spiked():
    """Draw 50 samples of 500 features, with three weak spikes of ten."""
    rng = np.random.default_rng(0)
    W = np.zeros((3, 500))
    for j in range(3):
        W[j, 10 * j : 10 * (j + 1)] = 1.0
    return rng.standard_normal((50, 3)) @ W + rng.standard_normal((50, 500))


def noise():
    return np.random.default_rng(0).standard_normal((200, 300))


DATA = {
    "pitprops": (lambda: samples("pitprops 13"), 7, 6),
    "wine": (wine, 6, 6),
    "colon": (colon, 20, 6),
    "hastie 100 x 180": (hastie, 30, 5),
    "spiked 50 x 500": (spiked, 10, 5),
    "noise 200 x 300": (noise, 17, 6),
}
"""The data, how many nonzeros are wanted, and of how many components."""


@cpu
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("data", DATA)
def test_search(benchmark, data, search):
    load, k, r = DATA[data]
    X = load()
    searched = clone(SEARCHES[search]).set_params(n_components=r, n_nonzero=k).fit(X)
    fitted = clone(searched).set_params(**searched.calibrated_params_).fit(X)
    benchmark.pedantic(searched.fit, args=(X,), rounds=ROUNDS)
    ours, once = benchmark.stats.stats.min, seconds(lambda: fitted.fit(X), ROUNDS)
    hits = int(searched.exact_cardinality_.sum())
    conclude(
        benchmark,
        SEARCH_HITS if hits == r else SEARCH_MISSES,
        ours / once,
        data=data,
        search=search,
        **{
            "nonzeros": k,
            "components": r,
            "of these reached": hits,
            "fits": searched.n_fits_,
            "searched ms": 1e3 * ours,
            "fitted ms": 1e3 * once,
        },
    )
